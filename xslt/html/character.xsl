<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry point: the page of characters of the collection (character.html?c=賓), from p:collection with a p:card for each text. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="../params.xsl"/>
  <xsl:include href="words.xsl"/>
  <xsl:include href="../lib/labels.xsl"/>
  <xsl:include href="page.xsl"/>

  <xsl:output method="html" version="5" indent="no" encoding="UTF-8"/>

  <xsl:template match="/" as="element()">
    <xsl:for-each select="collection">
      <html>
        <xsl:call-template name="m:head">
          <xsl:with-param name="title" select="f:word('character-page') || ' · ' || @title"/>
          <xsl:with-param name="class" select="'side'"/>
          <xsl:with-param name="root" select="''"/>
          <xsl:with-param name="scripts" select="'fold', 'index', 'grams', 'characters', 'character'"/>
        </xsl:call-template>
        <body class="side">
          <xsl:call-template name="m:top"><xsl:with-param name="here" select="f:word('character-page')"/></xsl:call-template>
          <main id="text" tabindex="-1" data-code="{f:word('code-point')}" data-reading="{f:word('pronounced')}" data-meaning="{f:word('meaning')}" data-family="{f:word('same-word')}" data-guangyun="{f:evidence('rule:guangyun-sound')}"
              data-search="{f:word('search')}" data-variants="{f:word('variants-here')}" data-more="{f:word('found-more')}" data-texts="{f:word('texts-having')}">
            <h1><xsl:value-of select="f:word('character-page')"/></h1>
            <p class="noscript"><xsl:value-of select="f:word('search-needs-script')"/></p>
          </main>
        </body>
      </html>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
