<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry point: the HTML edition of one text, from its prepared form. Principal result: its landing page; beside it a page for each chapter, and card.xml. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:tei="http://www.tei-c.org/ns/1.0"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="../params.xsl"/>
  <xsl:include href="../lib/labels.xsl"/>
  <xsl:include href="../lib/references.xsl"/>
  <xsl:include href="../lib/emendations.xsl"/>
  <xsl:include href="../lib/plain.xsl"/>
  <xsl:include href="words.xsl"/>
  <xsl:include href="shown.xsl"/>
  <xsl:include href="page.xsl"/>
  <xsl:include href="landing.xsl"/>
  <xsl:include href="sample.xsl"/>
  <xsl:include href="../lib/stated.xsl"/>
  <xsl:include href="../lib/sigla.xsl"/>
  <xsl:include href="matter.xsl"/>
  <xsl:include href="stated.xsl"/>
  <xsl:include href="chapter.xsl"/>
  <xsl:include href="legend.xsl"/>
  <xsl:include href="map.xsl"/>
  <xsl:include href="controls.xsl"/>
  <xsl:include href="text.xsl"/>
  <xsl:include href="layer.xsl"/>
  <xsl:include href="notes.xsl"/>
  <xsl:include href="quoted.xsl"/>
  <xsl:include href="translation.xsl"/>
  <xsl:include href="apparatus.xsl"/>
  <xsl:include href="find.xsl"/>
  <xsl:include href="side.xsl"/>
  <xsl:include href="entries.xsl"/>
  <xsl:include href="../lib/indexes.xsl"/>
  <xsl:include href="indexes.xsl"/>
  <xsl:include href="statistics.xsl"/>
  <xsl:include href="people.xsl"/>

  <xsl:output method="html" version="5" indent="no" encoding="UTF-8"/>
  <xsl:output name="html" method="html" version="5" indent="no" encoding="UTF-8"/>
  <xsl:output name="xml" method="xml" indent="no" encoding="UTF-8"/>

  <xsl:template match="/" as="element()">
    <xsl:variable name="text" as="element(p:text)" select="text"/>
    <xsl:for-each select="$text/chapter">
      <xsl:result-document href="{@page}.html" format="html">
        <xsl:call-template name="m:chapter"/>
      </xsl:result-document>
      <xsl:result-document href="find-{@page}.js" format="script"><xsl:call-template name="m:find"/></xsl:result-document>
    </xsl:for-each>
    <xsl:result-document href="card.xml" format="xml">
      <xsl:call-template name="m:card"><xsl:with-param name="text" select="$text"/></xsl:call-template>
    </xsl:result-document>
    <xsl:for-each select="$text">
      <xsl:call-template name="mp:beside"/>
      <xsl:call-template name="m:landing"/>
    </xsl:for-each>
  </xsl:template>

  <!-- The pages that are not chapters. Context: the text. -->
  <xsl:template name="mp:beside">
    <xsl:if test="chapter//apparatus">
      <xsl:result-document href="entries.html" format="html">
        <xsl:call-template name="m:side"><xsl:with-param name="name" select="'entries-page'"/><xsl:with-param name="scripts" select="'entries'"/></xsl:call-template>
      </xsl:result-document>
      <xsl:result-document href="entries.csv" format="script"><xsl:call-template name="m:csv"/></xsl:result-document>
    </xsl:if>
    <xsl:if test="$v:pictures">
      <xsl:result-document href="statistics.html" format="html">
        <xsl:call-template name="m:side"><xsl:with-param name="name" select="'statistics'"/></xsl:call-template>
      </xsl:result-document>
    </xsl:if>
    <xsl:if test="$v:indexed">
      <xsl:result-document href="indexes.html" format="html">
        <xsl:call-template name="m:side"><xsl:with-param name="name" select="'indexes'"/></xsl:call-template>
      </xsl:result-document>
    </xsl:if>
    <xsl:if test="exists(f:glosses(.))">
      <xsl:result-document href="glosses.js" format="script"><xsl:call-template name="m:glosses"/></xsl:result-document>
    </xsl:if>
    <xsl:call-template name="m:people"/>
  </xsl:template>
</xsl:stylesheet>
