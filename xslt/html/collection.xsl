<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry point: the landing page of the collection, from p:collection[@title] with a p:card for each text; for a library
     (p:collection/@library) also the pages that list its texts; and statistics.html. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="../params.xsl"/>
  <xsl:include href="words.xsl"/>
  <xsl:include href="page.xsl"/>
  <xsl:include href="library.xsl"/>
  <xsl:include href="../lib/labels.xsl"/>

  <xsl:output method="html" version="5" indent="no" encoding="UTF-8"/>
  <xsl:output name="page" method="html" version="5" indent="no" encoding="UTF-8"/>

  <xsl:template match="/" as="element()">
    <xsl:for-each select="collection">
      <xsl:result-document href="statistics.html" format="page"><xsl:call-template name="m:figures"/></xsl:result-document>
      <xsl:if test="@library"><xsl:call-template name="m:sheets"/></xsl:if>
      <html>
        <xsl:call-template name="m:head">
          <xsl:with-param name="title" select="string(@title)"/>
          <xsl:with-param name="class" select="'collection'"/>
          <xsl:with-param name="root" select="''"/>
          <xsl:with-param name="scripts" select="'library'[current()/@library]"/>
        </xsl:call-template>
        <body class="collection">
          <xsl:call-template name="m:skip"/>
          <header class="bar">
            <nav class="path" aria-label="{f:word('collection')}"><b><xsl:value-of select="f:word('collection')"/></b></nav>
            <a href="search.html"><xsl:value-of select="f:word('search')"/></a>
          </header>
          <main id="text" tabindex="-1">
            <header class="title">
              <h1><span><xsl:value-of select="@title"/></span></h1>
            </header>
            <xsl:choose>
              <xsl:when test="@library"><xsl:call-template name="m:library"/></xsl:when>
              <xsl:otherwise>
                <div class="room">
                  <xsl:call-template name="mp:about"/>
                  <ul class="shelf"><xsl:apply-templates select="card" mode="m:book"/></ul>
                </div>
              </xsl:otherwise>
            </xsl:choose>
          </main>
          <footer>
            <p class="ways"><xsl:if test="card[not(@script)]"><a href="character.html"><xsl:value-of select="f:word('character-page')"/></a></xsl:if><a href="statistics.html"><xsl:value-of select="f:word('statistics')"/></a></p>
            <p class="ways"><xsl:value-of select="f:word('for-programs')"/>
              <a href="manifest.jsonld"><xsl:value-of select="f:word('all-files')"/></a><a href="citations.json">CSL-JSON</a><a href="dts/index.json">DTS</a></p>
            <p><xsl:value-of select="distinct-values(card/publisher) => string-join(f:word('listing'))"/></p></footer>
        </body>
      </html>
    </xsl:for-each>
  </xsl:template>

  <!-- What this site is, and a search in all of it. Context: the collection. -->
  <xsl:template name="mp:about" as="element()">
    <div class="site">
      <p class="lead"><xsl:value-of select="f:word('site-about' || (if (card[not(@script)]) then '' else '-letters'))"/></p>
      <p class="figures">
        <xsl:for-each-group select="card" group-by="@kind">
          <xsl:value-of select="f:word(@kind || '-edition'), count(current-group())"/><xsl:text> · </xsl:text>
        </xsl:for-each-group>
        <xsl:value-of separator=" · " select="for $what in ('characters', 'notes', 'entries')
            return sum(card/@*[local-name() = $what] ! xs:integer(.))[. gt 0] ! (format-number(., '#,##0') || ' ' || f:word($what))"/>
      </p>
      <xsl:call-template name="m:ask"/>
    </div>
  </xsl:template>

  <xsl:mode name="m:book" on-no-match="fail"/>

  <!-- A book: its title slip, description and chapters. -->
  <xsl:template match="card" mode="m:book" as="element()">
    <li class="book {@kind}">
      <a class="slip" href="{@folder}/index.html" lang="{@xml:lang}">
        <b data-name="{title}"><xsl:value-of select="title"/></b>
        <xsl:for-each select="subtitle"><small><xsl:value-of select="."/></small></xsl:for-each>
      </a>
      <div class="about">
        <p class="kind"><xsl:value-of select="f:word(@kind || '-edition')"/></p>
        <xsl:for-each select="description"><p class="lead"><xsl:value-of select="."/></p></xsl:for-each>
        <p class="doors">
          <a href="{@folder}/{(chapter[@kind = 'pian'], chapter)[1]/@page}.html"><xsl:value-of select="f:word('start-reading')"/></a>
          <xsl:if test="xs:integer(@entries) gt 0"><a href="{@folder}/entries.html"><xsl:value-of select="f:word('see-variants')"/></a></xsl:if>
        </p>
        <p class="figures"><xsl:value-of select="@counted"/></p>
        <p class="cited"><span><xsl:value-of select="f:word('cite') || (if ($v:chinese) then '：' else ': ')"/></span><xsl:sequence select="f:isolated(@citation)"/></p>
        <p class="pages" lang="{@xml:lang}">
          <xsl:for-each select="chapter">
            <a href="{../@folder}/{@page}.html" data-name="{@title}"><xsl:value-of select="@title"/></a>
          </xsl:for-each>
        </p>
      </div>
    </li>
  </xsl:template>
</xsl:stylesheet>
