<?xml version="1.0" encoding="UTF-8"?>
<!-- Commentary by speaker; inline notes. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:note" on-no-match="fail" on-multiple-match="fail"/>

  <!-- Comments of at least this number of characters are folded on screen. -->
  <xsl:variable name="v:long" as="xs:integer" select="260"/>

  <!-- The witness that has most of a chapter's notes: sigla are shown only on notes that are not in it alone. -->
  <xsl:function name="f:usual" as="xs:string?">
    <xsl:param name="chapter" as="element(p:chapter)"/>
    <xsl:variable name="counted" as="xs:string*">
      <xsl:for-each-group select="$chapter//note[not(ancestor::entry)]" group-by="tokenize((@words, @wits)[1])">
        <xsl:sort select="count(current-group())" order="descending"/>
        <xsl:sequence select="current-grouping-key()"/>
      </xsl:for-each-group>
    </xsl:variable>
    <xsl:sequence select="$counted[1]"/>
  </xsl:function>

  <!-- Whether a note has sigla to show: it is not in the usual witness alone. -->
  <xsl:function name="fp:has-sigla" as="xs:boolean">
    <xsl:param name="note" as="element(p:note)"/>
    <xsl:param name="usual" as="xs:string?"/>
    <xsl:sequence select="exists($note/@sigla) and not(tokenize($note/(@words, @wits)[1]) = $usual)"/>
  </xsl:function>

  <!-- The sigla that all notes of a section share, if not those of the usual witness: shown once, at its head. -->
  <xsl:function name="f:from" as="xs:string?">
    <xsl:param name="section" as="element(p:section)"/>
    <xsl:param name="usual" as="xs:string?"/>
    <xsl:variable name="notes" as="element(p:note)*" select="$section//commentary//note[@wits]"/>
    <xsl:variable name="sigla" as="xs:string*" select="distinct-values($notes/@sigla)"/>
    <xsl:sequence select="$sigla[count($sigla) eq 1][count($notes) gt 1][not($notes/tokenize((@words, @wits)[1]) = $usual)]"/>
  </xsl:function>

  <xsl:template match="commentary" mode="m:note" as="element()">
    <div class="notes"><xsl:apply-templates select="*" mode="m:note"/></div>
  </xsl:template>

  <xsl:template match="notes" mode="m:note" as="element()*">
    <xsl:apply-templates select="*" mode="m:note"/>
  </xsl:template>

  <xsl:template match="note" mode="m:note" as="element()">
    <xsl:param name="usual" as="xs:string?" tunnel="yes" select="()"/>
    <xsl:param name="from" as="xs:string?" tunnel="yes" select="()"/>
    <div class="note {(@subtype, @kind)[1]}{' top'[current()/@place = 'top']}{if (string-length(.) ge $v:long) then ' long' else ''}">
      <xsl:copy-of select="@id"/>
      <xsl:if test="@id and f:cited-otherwise(.)"><xsl:attribute name="data-ref" select="f:short(@ref)"/></xsl:if>
      <xsl:if test="@wits"><xsl:attribute name="data-w" select="@wits"/></xsl:if>
      <xsl:if test="@label ne ''"><xsl:attribute name="data-speaker" select="(@speaker, @label)[1]"/></xsl:if>
      <xsl:if test="@label ne ''">
        <a class="who" href="#{@id}" title="{normalize-space(string-join((@dynasty, @name, @ref), ' '))}"><xsl:if test="@name"><xsl:attribute name="data-who" select="@name"/></xsl:if><xsl:value-of select="@label"/>
          <!-- The attribution to the speaker is an uncertain judgement. -->
          <xsl:if test="@cert = ('medium', 'low')"><sup title="{f:word('certainty')} {f:word('cert-' || @cert)}">?</sup></xsl:if>
        </a>
      </xsl:if>
      <p>
        <xsl:call-template name="m:leaves"/>
        <xsl:apply-templates select="node()" mode="m:inline"/>
        <xsl:if test="fp:has-sigla(., $usual) and not(@sigla = $from)"><small class="in"><xsl:value-of select="@sigla"/></small></xsl:if>
        <xsl:if test="@alike"><xsl:call-template name="mp:alike-note"/></xsl:if>
      </p>
    </div>
  </xsl:template>

  <!-- Similar notes of other works under other names. Context: a note. -->
  <xsl:template name="mp:alike-note" as="element()">
    <xsl:param name="page" as="xs:string" tunnel="yes" select="''"/>
    <small class="in alike">
      <xsl:value-of select="f:word('alike')"/>
      <xsl:variable name="names" as="xs:string*" select="tokenize(@alike-names, '\|')"/>
      <xsl:variable name="pages" as="xs:string*" select="tokenize(@alike-pages, '\|')"/>
      <xsl:for-each select="tokenize(@alike)">
        <xsl:variable name="at" as="xs:integer" select="position()"/>
        <xsl:if test="$at gt 1"><xsl:value-of select="f:word('listing')"/></xsl:if>
        <a href="{f:href($pages[$at], ., $page)}"><xsl:value-of select="$names[$at]"/></a>
      </xsl:for-each>
    </small>
  </xsl:template>

  <!-- A whole note that some witnesses lack. -->
  <xsl:template match="app" mode="m:note" as="element()">
    <div class="v r{@rank}" id="{@id}">
      <xsl:apply-templates select="* " mode="m:note"/>
      <xsl:call-template name="m:mark"/>
    </div>
  </xsl:template>

  <!-- An inline note: small, in the brackets of its source. -->
  <xsl:template match="note" mode="m:inline" as="element()">
    <small class="note {(@subtype, @kind)[1]}">
      <xsl:copy-of select="@id"/>
      <xsl:if test="@id and f:cited-otherwise(.)"><xsl:attribute name="data-ref" select="f:short(@ref)"/></xsl:if>
      <xsl:if test="@wits"><xsl:attribute name="data-w" select="@wits"/></xsl:if>
      <xsl:if test="@label ne ''"><xsl:attribute name="data-speaker" select="(@speaker, @label)[1]"/></xsl:if>
      <xsl:if test="@name"><xsl:attribute name="title" select="normalize-space(@dynasty || ' ' || @name)"/></xsl:if>
      <xsl:call-template name="m:bracket"><xsl:with-param name="with" select="if (@rend) then substring(@rend, 1, 1) else if ($fp:letters) then '(' else '（'"/></xsl:call-template>
      <xsl:if test="@of"><span class="of"><xsl:value-of select="@of"/></span></xsl:if>
      <xsl:apply-templates select="node()" mode="m:inline"/>
      <xsl:call-template name="m:bracket"><xsl:with-param name="with" select="if (@rend) then substring(@rend, 2, 1) else if ($fp:letters) then ')' else '）'"/></xsl:call-template>
    </small>
  </xsl:template>

  <xsl:template match="notes" mode="m:inline" as="node()*">
    <xsl:call-template name="m:bracket"><xsl:with-param name="with" select="substring(@rend, 1, 1)"/></xsl:call-template>
    <xsl:for-each select="note">
      <small class="note {(@subtype, @kind)[1]}">
        <xsl:copy-of select="@id"/>
        <xsl:if test="@wits"><xsl:attribute name="data-w" select="@wits"/></xsl:if>
        <xsl:if test="@label ne ''"><xsl:attribute name="data-speaker" select="(@speaker, @label)[1]"/></xsl:if>
        <xsl:apply-templates select="node()" mode="m:inline"/>
      </small>
    </xsl:for-each>
    <xsl:call-template name="m:bracket"><xsl:with-param name="with" select="substring(@rend, 2, 1)"/></xsl:call-template>
  </xsl:template>
</xsl:stylesheet>
