<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry point: chapters of a witness from its own TEI, for the pages of an edition. A file for each chapter in `parts`. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:tei="http://www.tei-c.org/ns/1.0"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="../prepare/main.xsl"/>
  <xsl:include href="../lib/emendations.xsl"/>
  <xsl:include href="words.xsl"/>
  <xsl:include href="shown.xsl"/>
  <xsl:include href="../lib/stated.xsl"/>
  <xsl:include href="../lib/sigla.xsl"/>
  <xsl:include href="text.xsl"/>
  <xsl:include href="notes.xsl"/>
  <xsl:include href="quoted.xsl"/>
  <xsl:include href="translation.xsl"/>
  <xsl:include href="apparatus.xsl"/>

  <!-- Ids of the chapters, separated by spaces. -->
  <xsl:param name="parts" as="xs:string" required="yes"/>

  <xsl:output method="html" version="5" indent="no" encoding="UTF-8"/>
  <xsl:output name="part" method="html" version="5" indent="no" encoding="UTF-8" omit-xml-declaration="yes"/>

  <xsl:template match="/" as="element()*">
    <xsl:variable name="text" as="element(p:text)" select="f:prepare(.)"/>
    <xsl:for-each select="$text/chapter[@id = tokenize($parts)]">
      <xsl:result-document href="{@id}.html" format="part">
        <article>
          <xsl:if test="empty(passage[@kind = 'head'])"><h1 class="given"><xsl:sequence select="f:shown(@title)"/></h1></xsl:if>
          <xsl:call-template name="m:blocks">
            <xsl:with-param name="page" select="string(@page)" tunnel="yes"/>
            <xsl:with-param name="witnesses" select="map{}" tunnel="yes"/>
          </xsl:call-template>
        </article>
      </xsl:result-document>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
