<?xml version="1.0" encoding="UTF-8"?>
<!-- A library: its first page has the sections and a search field, further pages (texts-N.html) list the texts,
     statistics.html counts them. Part of collection.xsl. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The heading under which a text is listed. -->
  <xsl:function name="fp:section" as="xs:string">
    <xsl:param name="card" as="element(p:card)"/>
    <xsl:sequence select="string(($card/@section[. ne ''], f:word('no-shelf'))[1])"/>
  </xsl:function>

  <!-- The search field for texts, and the sections with their pages. Context: the collection. -->
  <xsl:template name="m:library" as="element()">
    <div class="shelf">
      <form id="find" role="search" autocomplete="off" data-none="{f:word('found-none')}" data-more="{f:word('found-more')}" data-loading="{f:word('loading')}">
        <input type="search" name="t" aria-label="{f:word('find-text')}" placeholder="{f:word('find-text')}" enterkeyhint="search"/>
        <p id="told" role="status"/>
      </form>
      <ol id="found" class="texts"/>
      <p class="figures"><xsl:value-of select="fp:number(count(card)) || ' ' || f:word('text-count')"/></p>
      <ol class="sections">
        <xsl:for-each-group select="card" group-by="fp:section(.)">
          <li>
            <a class="name" href="texts-{@sheet}.html"><xsl:value-of select="current-grouping-key()"/></a>
            <span class="count"><xsl:value-of select="fp:number(count(current-group())) || ' ' || f:word('text-count')"/></span>
            <xsl:if test="count(distinct-values(current-group()/@sheet)) gt 1"><xsl:call-template name="mp:sheets"><xsl:with-param name="cards" select="current-group()"/></xsl:call-template></xsl:if>
          </li>
        </xsl:for-each-group>
      </ol>
    </div>
  </xsl:template>

  <!-- The pages of a section, each named by its first and last text. -->
  <xsl:template name="mp:sheets" as="element()">
    <xsl:param name="cards" as="element(p:card)+" required="yes"/>
    <ol class="sheets" lang="{$cards[1]/@xml:lang}">
      <xsl:for-each-group select="$cards" group-by="@sheet">
        <li><a href="texts-{@sheet}.html"><xsl:value-of select="title"/>…<xsl:value-of select="current-group()[last()]/title"/></a></li>
      </xsl:for-each-group>
    </ol>
  </xsl:template>

  <!-- The pages that list the texts. Context: the collection. -->
  <xsl:template name="m:sheets">
    <xsl:variable name="last" as="xs:string" select="string(card[last()]/@sheet)"/>
    <xsl:for-each-group select="card" group-adjacent="@sheet">
      <xsl:result-document href="texts-{@sheet}.html" format="page">
        <xsl:call-template name="mp:sheet"><xsl:with-param name="cards" select="current-group()"/><xsl:with-param name="last" select="xs:integer($last)"/></xsl:call-template>
      </xsl:result-document>
    </xsl:for-each-group>
  </xsl:template>

  <xsl:template name="mp:sheet" as="element()">
    <xsl:param name="cards" as="element(p:card)+" required="yes"/>
    <xsl:param name="last" as="xs:integer" required="yes"/>
    <xsl:variable name="at" as="xs:integer" select="xs:integer(@sheet)"/>
    <html>
      <xsl:call-template name="m:head">
        <xsl:with-param name="title" select="fp:section(.) || ' · ' || ../@title"/>
        <xsl:with-param name="class" select="'collection'"/>
        <xsl:with-param name="root" select="''"/>
      </xsl:call-template>
      <body class="collection">
        <xsl:call-template name="m:top"><xsl:with-param name="here" select="fp:section(.)"/></xsl:call-template>
        <main id="text" tabindex="-1">
          <header class="title"><h1><span><xsl:value-of select="fp:section(.)"/></span></h1></header>
          <div class="shelf">
            <ol class="texts"><xsl:apply-templates select="$cards" mode="mp:line"/></ol>
            <p class="ways">
              <xsl:if test="$at gt 1"><a rel="prev" href="texts-{$at - 1}.html"><xsl:value-of select="f:word('earlier')"/></a></xsl:if>
              <xsl:if test="$at lt $last"><a rel="next" href="texts-{$at + 1}.html"><xsl:value-of select="f:word('later')"/></a></xsl:if>
            </p>
          </div>
        </main>
      </body>
    </html>
  </xsl:template>

  <xsl:mode name="mp:line" on-no-match="fail"/>
  <xsl:template match="card" mode="mp:line" as="element()">
    <li>
      <a href="{@folder}/index.html" lang="{@xml:lang}" data-name="{title}"><xsl:value-of select="string-join((title, subtitle), ' ')"/></a>
      <span class="by"><xsl:value-of select="string-join(author, f:word('listing'))"/></span>
      <span class="count"><xsl:value-of select="@counted"/></span>
    </li>
  </xsl:template>

  <!-- Counts by section of a library, else by text. Context: the collection. -->
  <xsl:template name="m:figures" as="element()">
    <html>
      <xsl:call-template name="m:head">
        <xsl:with-param name="title" select="f:word('statistics') || ' · ' || @title"/>
        <xsl:with-param name="class" select="'side'"/>
        <xsl:with-param name="root" select="''"/>
      </xsl:call-template>
      <body class="side">
        <xsl:call-template name="m:top"><xsl:with-param name="here" select="f:word('statistics')"/></xsl:call-template>
        <main id="text" tabindex="-1">
          <h1><xsl:value-of select="f:word('statistics')"/></h1>
          <table class="numbers">
            <thead><tr>
              <th scope="col"><xsl:value-of select="f:word(if (@library) then 'shelves' else 'title-of')"/></th>
              <xsl:for-each select="'text-count', 'characters', 'mean', 'notes', 'entries'"><th scope="col"><xsl:value-of select="f:word(.)"/></th></xsl:for-each>
            </tr></thead>
            <tbody>
              <xsl:for-each-group select="card" group-by="if (../@library) then fp:section(.) else string(@folder)">
                <tr>
                  <th scope="row" lang="{@xml:lang}"><a href="{if (../@library) then 'texts-' || @sheet || '.html' else @folder || '/index.html'}"><xsl:value-of select="if (../@library) then current-grouping-key() else string-join((title, subtitle), ' ')"/></a></th>
                  <xsl:sequence select="fp:figures(current-group())"/>
                </tr>
              </xsl:for-each-group>
            </tbody>
            <tfoot><tr><th scope="row"><xsl:value-of select="f:word('entry-count')"/></th><xsl:sequence select="fp:figures(card)"/></tr></tfoot>
          </table>
        </main>
      </body>
    </html>
  </xsl:template>

  <!-- Texts, characters of base text, mean characters of a text, comments, entries. -->
  <xsl:function name="fp:figures" as="element()+">
    <xsl:param name="cards" as="element(p:card)+"/>
    <xsl:variable name="characters" as="xs:integer" select="sum($cards/@characters ! xs:integer(.))"/>
    <xsl:for-each select="count($cards), $characters, $characters idiv count($cards), sum($cards/@notes ! xs:integer(.)), sum($cards/@entries ! xs:integer(.))">
      <td><xsl:value-of select="fp:number(.)"/></td>
    </xsl:for-each>
  </xsl:function>

  <xsl:function name="fp:number" as="xs:string">
    <xsl:param name="of" as="xs:integer"/>
    <xsl:sequence select="format-number($of, '#,##0')"/>
  </xsl:function>
</xsl:stylesheet>
