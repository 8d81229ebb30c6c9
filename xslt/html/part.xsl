<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry point: parts of a chapter of an edition as on its page, in an article, to replace them there. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The stylesheets of the pages; only the requested parts are set. -->
  <xsl:import href="main.xsl"/>
  <xsl:include href="../prepare/main.xsl"/>

  <!-- Ids of a chapter, or of sections of one, separated by spaces. -->
  <xsl:param name="parts" as="xs:string" required="yes"/>

  <xsl:output method="html" version="5" indent="no" encoding="UTF-8"/>

  <xsl:template match="/" as="element()">
    <xsl:variable name="wanted" as="xs:string+" select="tokenize($parts)"/>
    <xsl:variable name="text" as="element(p:text)" select="f:prepare(.)"/>
    <article>
      <xsl:for-each select="$text/chapter[(@id, section/@id) = $wanted]">
        <xsl:variable name="usual" as="xs:string?" select="f:usual(.)"/>
        <xsl:variable name="whole" as="xs:boolean" select="@id = $wanted"/>
        <xsl:if test="$whole">
          <xsl:call-template name="m:opening"><xsl:with-param name="usual" select="$usual"/></xsl:call-template>
        </xsl:if>
        <xsl:variable name="page" as="xs:string" select="@page"/>
        <xsl:variable name="witnesses" as="map(xs:string, xs:string)" select="f:witnesses($text/meta)"/>
        <xsl:for-each select="if ($whole) then . else section[@id = $wanted]">
          <xsl:choose>
            <xsl:when test="$whole">
              <xsl:call-template name="m:blocks">
                <xsl:with-param name="page" select="$page" tunnel="yes"/>
                <xsl:with-param name="witnesses" select="$witnesses" tunnel="yes"/>
                <xsl:with-param name="usual" select="$usual" tunnel="yes"/>
              </xsl:call-template>
            </xsl:when>
            <xsl:otherwise>
              <xsl:apply-templates select="." mode="m:block">
                <xsl:with-param name="page" select="$page" tunnel="yes"/>
                <xsl:with-param name="witnesses" select="$witnesses" tunnel="yes"/>
                <xsl:with-param name="usual" select="$usual" tunnel="yes"/>
              </xsl:apply-templates>
            </xsl:otherwise>
          </xsl:choose>
        </xsl:for-each>
      </xsl:for-each>
    </article>
  </xsl:template>
</xsl:stylesheet>
