<?xml version="1.0" encoding="UTF-8"?>
<!-- A page for each commentator: name, dates, chapters, works cited, and all comments. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Name of a commentator's page (file name without suffix). -->
  <xsl:function name="f:person-page" as="xs:string">
    <xsl:param name="id" as="xs:string"/>
    <xsl:sequence select="'speaker-' || $id"/>
  </xsl:function>

  <!-- Context: the text. -->
  <xsl:template name="m:people">
    <xsl:variable name="text" as="element(p:text)" select="."/>
    <xsl:for-each-group select="chapter//note[@kind = 'commentary'][@speaker][not(ancestor::entry)]" group-by="@speaker">
      <xsl:variable name="notes" as="element(p:note)+" select="current-group()"/>
      <xsl:variable name="who" as="element(p:speaker)?" select="$text/meta/speaker[@id = current-grouping-key()]"/>
      <xsl:if test="$who">
        <xsl:result-document href="{f:person-page($who/@id)}.html" format="html">
          <xsl:for-each select="$text">
            <xsl:call-template name="m:side">
              <xsl:with-param name="name" select="'commentators'"/>
              <xsl:with-param name="title" select="string($who/@name)"/>
              <xsl:with-param name="who" select="$who" tunnel="yes"/>
              <xsl:with-param name="notes" select="$notes" tunnel="yes"/>
            </xsl:call-template>
          </xsl:for-each>
        </xsl:result-document>
      </xsl:if>
    </xsl:for-each-group>
  </xsl:template>

  <xsl:template match=".[. eq 'commentators']" mode="m:side" as="element()+">
    <xsl:param name="who" as="element(p:speaker)" tunnel="yes" required="yes"/>
    <xsl:apply-templates select="$who" mode="mp:person"/>
  </xsl:template>

  <xsl:mode name="mp:person" on-no-match="fail"/>
  <xsl:template match="speaker" mode="mp:person" as="element()+">
    <xsl:param name="notes" as="element(p:note)+" tunnel="yes" required="yes"/>
    <p class="person"><span data-name="{@dynasty},{@name}"><xsl:value-of select="normalize-space(@dynasty || ' ' || @name)"/></span>
      <xsl:value-of select="' · ' || format-number(count($notes), '#,##0'), f:word('notes')"/></p>
    <nav class="parts" aria-label="{f:word('chapters')}">
      <xsl:for-each-group select="$notes" group-adjacent="string(ancestor::chapter/@page)">
        <a href="#in-{current-grouping-key()}"><span data-name="{ancestor::chapter/@title}"><xsl:value-of select="ancestor::chapter/@title"/></span><xsl:value-of select="' ', count(current-group())" separator=""/></a>
      </xsl:for-each-group>
    </nav>
    <xsl:if test="$notes//span[@role = 'title']">
      <section aria-labelledby="works-cited"><h2 id="works-cited"><xsl:value-of select="f:word('works-cited')"/></h2>
        <dl>
          <xsl:for-each-group select="$notes//span[@role = 'title'][string-join(.//text()[not(ancestor::other)])]" group-by="string-join(.//text()[not(ancestor::other)])">
            <xsl:sort select="count(current-group())" order="descending"/>
            <xsl:call-template name="mp:row"><xsl:with-param name="words" select="current-grouping-key()"/></xsl:call-template>
          </xsl:for-each-group>
        </dl>
      </section>
    </xsl:if>
    <xsl:for-each-group select="$notes" group-adjacent="string(ancestor::chapter/@page)">
      <section class="said" aria-labelledby="in-{current-grouping-key()}">
        <h2 id="in-{current-grouping-key()}"><a href="{current-grouping-key()}.html?without={fp:silent(., ancestor::chapter)}"><xsl:value-of select="ancestor::chapter/@title"/></a></h2>
        <xsl:for-each select="current-group()">
          <p lang="{ancestor::text/@xml:lang}"><a href="{ancestor::chapter/@page}.html#{@id}"><xsl:value-of select="f:short(f:reference(@id))"/></a><xsl:apply-templates select="node()" mode="mp:said"/></p>
        </xsl:for-each>
      </section>
    </xsl:for-each-group>
  </xsl:template>

  <!-- All speakers of a chapter but one, to show the chapter with that one alone. -->
  <xsl:function name="fp:silent" as="xs:string">
    <xsl:param name="note" as="element(p:note)"/>
    <xsl:param name="chapter" as="element(p:chapter)"/>
    <xsl:sequence select="string-join($chapter/voice[@speaker ne $note/@speaker]/@speaker, ',')"/>
  </xsl:function>

  <!-- The words of a comment without the marks of the apparatus. -->
  <xsl:mode name="mp:said" on-no-match="shallow-skip"/>
  <xsl:template match="text()" mode="mp:said" as="node()*"><xsl:sequence select="f:shown(.)"/></xsl:template>
  <xsl:template match="other | move | juan | entry" mode="mp:said"/>
</xsl:stylesheet>
