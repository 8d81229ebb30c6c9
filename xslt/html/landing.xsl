<?xml version="1.0" encoding="UTF-8"?>
<!-- The landing page of a text: description, chapters and their witnesses, citation. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Context: the text. -->
  <xsl:template name="m:landing" as="element()">
    <xsl:variable name="name" as="xs:string" select="string-join(meta/(title, subtitle), ' ')"/>
    <html>
      <xsl:call-template name="m:head">
        <xsl:with-param name="title" select="$name"/>
        <xsl:with-param name="class" select="'landing'"/>
        <xsl:with-param name="about" select="string(meta/description)"/>
        <xsl:with-param name="meta" select="meta"/>
      </xsl:call-template>
      <body class="landing">
        <xsl:call-template name="m:top"><xsl:with-param name="here" select="string(meta/title)"/><xsl:with-param name="in" select="string(@id)"/></xsl:call-template>
        <main id="text" tabindex="-1">
          <xsl:call-template name="m:schema">
            <xsl:with-param name="meta" select="meta"/>
            <xsl:with-param name="about" select="map{'@type': 'Book', 'name': string($name)}"/>
          </xsl:call-template>
          <xsl:call-template name="m:title"/>
          <xsl:call-template name="m:chapters"/>
          <xsl:call-template name="mp:more"/>
          <xsl:apply-templates select="." mode="m:matter"/>
        </main>
      </body>
    </html>
  </xsl:template>

  <!-- The title, large and vertical, with the one-sentence description and a passage of the text. -->
  <xsl:template name="m:title" as="element()">
    <header class="title">
      <h1 lang="{@xml:lang}">
        <xsl:if test="@direction eq 'rtl'"><xsl:attribute name="dir" select="'rtl'"/></xsl:if>
        <span data-name="{meta/title}"><xsl:value-of select="meta/title"/></span>
        <xsl:for-each select="meta/subtitle"><small><xsl:value-of select="."/></small></xsl:for-each>
      </h1>
      <div class="about">
        <p class="kind"><xsl:value-of select="if (meta/stated) then f:word('shown-with') else f:word(@kind || '-edition')"/></p>
        <xsl:for-each select="meta/description"><p class="lead"><xsl:value-of select="."/></p></xsl:for-each>
        <p class="by">
          <xsl:for-each select="meta/author[1]"><span><xsl:value-of select="string-join(../author, f:word('listing'))"/></span></xsl:for-each>
          <xsl:for-each select="meta/editor[1]">
            <xsl:variable name="named" as="xs:string+" select="string-join(../editor, f:word('listing')), f:word('editor')"/>
            <span><xsl:value-of select="if ($v:chinese) then $named else reverse($named)"/></span>
          </xsl:for-each>
        </p>
        <xsl:call-template name="m:sample"/>
      </div>
    </header>
  </xsl:template>

  <!-- Figures, further pages, downloads and search: what a reader asks for who has seen the text. Context: the text. -->
  <xsl:template name="mp:more" as="element()">
    <div class="further">
      <p class="figures"><xsl:value-of select="fp:counted(chapter)"/></p>
      <p class="ways">
        <xsl:if test="chapter//apparatus"><a href="entries.html"><xsl:value-of select="f:word('entries-page')"/></a></xsl:if>
        <xsl:if test="$v:pictures"><a href="statistics.html"><xsl:value-of select="f:word('statistics')"/></a></xsl:if>
        <xsl:if test="$v:indexed"><a href="indexes.html"><xsl:value-of select="f:word('indexes')"/></a></xsl:if>
        <a href="encoding.html"><xsl:value-of select="f:word('encoding-page')"/></a>
      </p>
      <xsl:call-template name="m:downloads"/>
      <xsl:call-template name="m:ask"><xsl:with-param name="root" select="'../'"/><xsl:with-param name="in" select="string(@id)"/></xsl:call-template>
    </div>
  </xsl:template>

  <xsl:template name="m:chapters" as="element()">
    <section class="chapters" aria-labelledby="chapters">
      <h2 id="chapters"><xsl:value-of select="f:word('chapters')"/></h2>
      <ol>
        <xsl:for-each select="chapter">
          <li class="{@kind}">
            <a class="name" href="{@page}.html">
              <span class="n"><xsl:value-of select="@n[. castable as xs:integer]"/></span>
              <xsl:if test="not(@incipit ne '' and @title eq @n)"><span lang="{../@xml:lang}" data-name="{@title}"><xsl:sequence select="f:shown(@title)"/></span></xsl:if>
              <xsl:for-each select="@incipit[. ne '']"><span class="incipit" lang="{ancestor::text/@xml:lang}"><xsl:value-of select="."/></span></xsl:for-each>
            </a>
            <span class="count"><xsl:value-of select="fp:counted(.)"/></span>
            <xsl:if test="coverage">
              <span class="covers">
                <xsl:apply-templates select="coverage" mode="m:coverage">
                  <xsl:with-param name="titles" tunnel="yes" select="f:titles(ancestor::text/meta)"/>
                </xsl:apply-templates>
                <xsl:call-template name="m:ticks"/>
              </span>
            </xsl:if>
            <xsl:if test="section"><xsl:call-template name="m:sections"/></xsl:if>
          </li>
        </xsl:for-each>
      </ol>
    </section>
  </xsl:template>

  <xsl:template name="m:sections" as="element()">
    <details class="sections">
      <summary><xsl:value-of select="fp:number(count(section), 'sections')"/></summary>
      <ol lang="{../@xml:lang}">
        <xsl:for-each select="section">
          <li><a href="{../@page}.html#{@id}"><xsl:sequence select="f:shown(f:called(.))"/></a></li>
        </xsl:for-each>
      </ol>
    </details>
  </xsl:template>

  <!-- 3,021 字 · 412 条注 · 96 条校 -->
  <xsl:function name="fp:counted" as="xs:string">
    <xsl:param name="of" as="element()+"/>
    <xsl:sequence select="string-join(
        for $what in ('characters', 'notes', 'entries')
        return sum($of/@*[local-name() = $what] ! xs:integer(.))[. gt 0] ! (fp:number(., $what)), ' · ')"/>
  </xsl:function>

  <!-- 96 entries, 1 entry; the words of one have the key of the others, with -one. -->
  <xsl:function name="fp:number" as="xs:string">
    <xsl:param name="count" as="xs:numeric"/>
    <xsl:param name="what" as="xs:string"/>
    <xsl:sequence select="format-number($count, '#,##0') || ' ' || f:word($what || '-one'[$count eq 1])"/>
  </xsl:function>

  <!-- The extent of each witness along a chapter: a bar for each, drawn at build time. -->
  <xsl:template match="coverage" mode="m:coverage" as="element()">
    <xsl:param name="titles" as="map(xs:string, xs:string)" tunnel="yes" required="yes"/>
    <span class="cover">
      <abbr title="{$titles(string(@witness))}"><xsl:value-of select="@siglum"/></abbr>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img"
          aria-label="{@siglum}{f:word('coverage-of')} {round(100 * xs:decimal(@share))}%">
        <path class="rest" d="M0 5H1000"/>
        <path class="has" d="{string-join(run ! ('M' || 1000 * xs:decimal(@from) || ' 5H' || 1000 * xs:decimal(@to)))}"/>
      </svg>
    </span>
  </xsl:template>
  <xsl:mode name="m:coverage" on-no-match="fail"/>

  <!-- The places where the base text varies by more than graphs: a tick for each. Context: the chapter. -->
  <xsl:template name="m:ticks" as="element()?">
    <xsl:variable name="places" as="xs:string*" select="tokenize(@variants)"/>
    <xsl:if test="exists($places)">
      <span class="cover">
        <abbr class="ui" title="{f:word('variants-title')}"><xsl:value-of select="f:word('variant-substantive')"/></abbr>
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img"
            aria-label="{f:word('variant-substantive')} {count($places)}">
          <path class="ticks" d="{string-join(distinct-values($places) ! ('M' || . || ' 0V10'))}"/>
        </svg>
      </span>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
