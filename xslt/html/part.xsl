<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry point: parts of a chapter of an edition as on its page, each in an article, to replace them there: a list of HTML
     as JSON. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The stylesheets of the pages; only the requested parts are set. -->
  <xsl:import href="main.xsl"/>
  <xsl:include href="../prepare/main.xsl"/>
  <xsl:include href="../lib/emendations.xsl"/>

  <!-- Ids of a chapter, or of sections of one, separated by spaces. -->
  <xsl:param name="parts" as="xs:string" required="yes"/>

  <!-- Id of the witness that has most notes of the chapter. -->
  <xsl:param name="usual" as="xs:string" required="yes"/>

  <xsl:output method="json" encoding="UTF-8"/>

  <xsl:variable name="mp:html" as="map(xs:string, item())" select="map{'method': 'html', 'html-version': 5.0, 'indent': false()}"/>

  <xsl:template match="/" as="array(xs:string)">
    <xsl:variable name="wanted" as="xs:string+" select="tokenize($parts)"/>
    <xsl:variable name="text" as="document-node()"><xsl:document><xsl:sequence select="f:prepare(.)"/></xsl:document></xsl:variable>
    <xsl:variable name="articles" as="element(article)*" xpath-default-namespace="">
    <xsl:for-each select="$text/text/chapter/(., section)[@id = $wanted]" xpath-default-namespace="urn:jiaokan:prepared">
      <article>
        <xsl:if test="self::chapter">
          <xsl:call-template name="m:opening"><xsl:with-param name="usual" select="$usual"/></xsl:call-template>
        </xsl:if>
        <xsl:apply-templates select="." mode="mp:part">
          <xsl:with-param name="page" select="string(ancestor-or-self::chapter/@page)" tunnel="yes"/>
          <xsl:with-param name="witnesses" select="f:witnesses($text/text/meta)" tunnel="yes"/>
          <xsl:with-param name="usual" select="$usual" tunnel="yes"/>
        </xsl:apply-templates>
      </article>
    </xsl:for-each>
    </xsl:variable>
    <xsl:sequence select="array{$articles ! serialize(., $mp:html)}"/>
  </xsl:template>

  <xsl:template match="chapter" mode="mp:part"><xsl:call-template name="m:blocks"/></xsl:template>
  <xsl:template match="section" mode="mp:part"><xsl:apply-templates select="." mode="m:block"/></xsl:template>
</xsl:stylesheet>
