<?xml version="1.0" encoding="UTF-8"?>
<!-- The foot of a text's pages: principles, sources, downloads, licence. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:template name="m:colophon" as="element()">
    <!-- p:licence; tei:licence where nothing is prepared. -->
    <xsl:param name="licence" as="element()?" required="yes"/>
    <!-- The statements of the landing page about the text. -->
    <xsl:param name="statements" as="xs:string*" required="yes"/>
    <!-- File name of the TEI of this page alone; empty if there is none. -->
    <xsl:param name="alone" as="xs:string" select="''"/>
    <!-- The citation of the page, for its print on paper; empty if unknown. -->
    <xsl:param name="citation" as="xs:string" select="''"/>
    <!-- Whether the text has a page of indexes. -->
    <xsl:param name="indexed" as="xs:boolean" select="false()"/>
    <!-- Place and identifiers of the publication, funders. -->
    <xsl:param name="published" as="element()*" select="()"/>
    <footer class="colophon">
      <xsl:if test="$citation"><p class="cited"><xsl:value-of select="f:word('cite') || (if ($v:chinese) then '：' else ': ')"/><xsl:sequence select="f:isolated($citation)"/><xsl:if test="f:safe($v:url)"><xsl:text> </xsl:text><xsl:value-of select="$v:url"/></xsl:if></p></xsl:if>
      <nav aria-label="{f:word('about-text')}">
        <xsl:for-each select="$statements, 'cite'">
          <a href="index.html#{.}"><xsl:value-of select="f:word(.)"/></a>
        </xsl:for-each>
        <xsl:if test="$indexed"><a href="indexes.html"><xsl:value-of select="f:word('indexes')"/></a></xsl:if>
        <a href="encoding.html"><xsl:value-of select="f:word('encoding-page')"/></a>
      </nav>
      <xsl:call-template name="m:downloads"><xsl:with-param name="alone" select="$alone"/></xsl:call-template>
      <xsl:if test="$published">
        <p class="imprint">
          <xsl:for-each select="$published">
            <xsl:if test="position() gt 1"><xsl:text> · </xsl:text></xsl:if>
            <xsl:variable name="said" as="xs:string" select="string-join((@type, .), ' ')"/>
            <xsl:choose>
              <xsl:when test="f:safe(string(@href))"><a href="{@href}"><xsl:value-of select="$said"/></a></xsl:when>
              <xsl:otherwise><xsl:value-of select="$said"/></xsl:otherwise>
            </xsl:choose>
          </xsl:for-each>
        </p>
      </xsl:if>
      <xsl:if test="$licence[normalize-space() or @target ne '']"><p><xsl:call-template name="m:licence"><xsl:with-param name="licence" select="$licence"/></xsl:call-template></p></xsl:if>
      <xsl:if test="$v:version"><p class="printed"><xsl:value-of select="f:word(if ($statements = 'stated') then 'shown-with' else 'made-with'), $v:version"/></p></xsl:if>
    </footer>
  </xsl:template>

  <xsl:function name="f:statements" as="xs:string*">
    <xsl:param name="meta" as="element(p:meta)"/>
    <xsl:sequence select="if ($meta/stated) then 'stated' else ('principles'[$meta/principle and $v:principles], 'witnesses'[$meta/witness], 'source'[$meta/source], 'responsibility'[$meta/resp], 'revisions'[$meta/change])"/>
  </xsl:function>

  <xsl:function name="f:imprint" as="element()*">
    <xsl:param name="meta" as="element(p:meta)"/>
    <xsl:sequence select="$meta/(authority, place, number, funder)"/>
  </xsl:function>

  <!-- Downloads: TEI of the page and of the whole text, their schemas, PDF. -->
  <xsl:template name="m:downloads" as="element()">
    <xsl:param name="alone" as="xs:string" select="''"/>
    <p class="downloads">
      <xsl:if test="$alone"><a href="{$alone}" download=""><xsl:value-of select="f:word('tei-alone')"/></a></xsl:if>
      <xsl:if test="$v:tei"><a href="{$v:tei}" download=""><xsl:value-of select="f:word('tei')"/></a></xsl:if>
      <a href="../schema/jiaokan.odd" download=""><xsl:value-of select="f:word('schema')"/></a>
      <xsl:for-each select="$v:facts/p:pdf">
        <a href="{@href}"><xsl:value-of select="."/><xsl:if test="@volume"><xsl:text> </xsl:text><span><xsl:value-of select="@volume"/></span></xsl:if></a>
      </xsl:for-each>
    </p>
  </xsl:template>

  <xsl:template name="m:licence" as="node()+">
    <xsl:param name="licence" as="element()?" required="yes"/>
    <xsl:value-of select="f:word('licence')"/><xsl:text> </xsl:text>
    <xsl:choose>
      <xsl:when test="f:safe(string($licence/@target))">
        <a rel="license" href="{$licence/@target}"><xsl:value-of select="$licence"/></a>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$licence"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
