<?xml version="1.0" encoding="UTF-8"?>
<!-- The page of a chapter: bar, contents, text. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Context: the chapter. -->
  <xsl:template name="m:chapter" as="element()">
    <xsl:variable name="meta" as="element(p:meta)" select="../meta"/>
    <html>
      <xsl:call-template name="m:head">
        <xsl:with-param name="title" select="@title || ' · ' || string-join($meta/(title, subtitle), ' ')"/>
        <xsl:with-param name="class" select="'chapter'"/>
        <xsl:with-param name="meta" select="$meta"/>
      </xsl:call-template>
      <body class="chapter">
        <xsl:call-template name="m:skip"/>
        <xsl:call-template name="m:bar"><xsl:with-param name="meta" select="$meta"/></xsl:call-template>
        <script src="../assets/early.js"/>
        <xsl:call-template name="m:texts"/>
        <main id="text" lang="{../@xml:lang}" tabindex="-1" data-cite="{fp:citation($meta)}{' '[not($v:chinese)]}" data-bibtex="{fp:bibtex($meta, ../@id)}"
            data-title="{$meta/title}·{@title}" data-record="{fp:record($meta)}" data-url="{$v:url}" data-version="{$v:state}">
          <xsl:if test="../@direction eq 'rtl'"><xsl:attribute name="dir" select="'rtl'"/></xsl:if>
          <xsl:if test="$v:image-hosts ne ''"><xsl:attribute name="data-images" select="$v:image-hosts"/></xsl:if>
          <xsl:if test="empty(.//commentary)"><xsl:attribute name="class" select="'plain'"/></xsl:if>
          <xsl:call-template name="m:schema">
            <xsl:with-param name="meta" select="$meta"/>
            <xsl:with-param name="about" select="map{'@type': 'Chapter', 'name': string(@title), 'identifier': string(@ref),
                'isPartOf': map{'@type': 'Book', 'name': string-join($meta/(title, subtitle), ' ')}}"/>
          </xsl:call-template>
          <p class="printed"><xsl:value-of select="string-join($meta/(title, subtitle), ' ')"/></p>
          <xsl:variable name="usual" as="xs:string?" select="f:usual(.)"/>
          <xsl:call-template name="m:opening"><xsl:with-param name="usual" select="$usual"/></xsl:call-template>
          <xsl:call-template name="m:legend"><xsl:with-param name="usual" select="$usual"/></xsl:call-template>
          <xsl:call-template name="m:blocks">
            <xsl:with-param name="page" select="string(@page)" tunnel="yes"/>
            <xsl:with-param name="witnesses" select="f:witnesses($meta)" tunnel="yes"/>
            <xsl:with-param name="usual" select="$usual" tunnel="yes"/>
            <xsl:with-param name="later" select="fp:later(.)" tunnel="yes"/>
          </xsl:call-template>
        </main>
        <xsl:call-template name="m:turn"/>
        <xsl:call-template name="m:colophon">
          <xsl:with-param name="licence" select="$meta/licence"/>
          <xsl:with-param name="statements" select="f:statements($meta)"/>
          <xsl:with-param name="published" select="f:imprint($meta)"/>
          <xsl:with-param name="indexed" select="$v:indexed"/>
          <xsl:with-param name="alone" select="if (@alone) then @page || '.xml' else ''"/>
          <xsl:with-param name="citation" select="fp:citation($meta) || ' '[not($v:chinese)] || @ref"/>
        </xsl:call-template>
      </body>
    </html>
  </xsl:template>

  <!-- What comes after the first screens (2,000 characters with comments): whole sections, and in the section or chapter that goes on, its
       further passages. later.js makes elements of them when a reader goes on. -->
  <xsl:function name="fp:later" as="element()*">
    <xsl:param name="chapter" as="element(p:chapter)"/>
    <xsl:variable name="first" as="element(p:passage)?">
      <xsl:iterate select="$chapter//passage">
        <xsl:param name="length" as="xs:integer" select="0"/>
        <xsl:choose>
          <xsl:when test="$length ge 2000"><xsl:break select="."/></xsl:when>
          <xsl:otherwise><xsl:next-iteration><xsl:with-param name="length" select="$length + string-length(.)"/></xsl:next-iteration></xsl:otherwise>
        </xsl:choose>
      </xsl:iterate>
    </xsl:variable>
    <xsl:variable name="outer" as="element()*" select="$first/ancestor-or-self::*[ancestor::chapter]"/>
    <xsl:sequence select="$outer/(self::passage | self::section[passage[1] is $first] | following-sibling::*[not(self::apparatus)])"/>
  </xsl:function>

  <!-- The bar: the place in the text, and the display settings. -->
  <xsl:template name="m:bar" as="element()">
    <xsl:param name="meta" as="element(p:meta)" required="yes"/>
    <header class="bar">
      <nav class="path" aria-label="{f:word('collection')}">
        <a href="../index.html"><xsl:value-of select="f:word('collection')"/></a>
        <a href="index.html" data-name="{$meta/title}"><xsl:value-of select="$meta/title"/></a>
        <b data-name="{@title}"><xsl:value-of select="@title"/></b>
      </nav>
      <a href="../search.html?in={../@id}" class="tosearch"><xsl:value-of select="f:word('search')"/></a>
      <xsl:call-template name="m:contents"/>
      <xsl:call-template name="m:map"/>
      <xsl:call-template name="m:controls"/>
    </header>
  </xsl:template>

  <xsl:template name="m:contents" as="element()?">
    <xsl:if test="exists(section)">
      <nav class="contents" aria-label="{f:word('contents')}">
        <details>
          <summary><xsl:value-of select="f:word('contents')"/></summary>
          <ol>
            <xsl:for-each select="section">
              <li><a href="#{@id}"><span class="n"><xsl:value-of select="f:short(@ref)"/></span><xsl:sequence select="f:shown(@title)"/></a></li>
            </xsl:for-each>
          </ol>
        </details>
      </nav>
    </xsl:if>
  </xsl:template>

  <!-- Links to the previous and the next chapter. -->
  <xsl:template name="m:turn" as="element()">
    <nav class="turn" aria-label="{f:word('chapters')}">
      <xsl:for-each select="preceding-sibling::chapter[1]">
        <a rel="prev" href="{@page}.html"><small><xsl:value-of select="f:word('previous')"/></small><span data-name="{@title}"><xsl:value-of select="@title"/></span></a>
      </xsl:for-each>
      <a class="up" href="index.html"><small><xsl:value-of select="f:word('contents')"/></small><xsl:value-of select="../meta/title"/></a>
      <xsl:for-each select="following-sibling::chapter[1]">
        <a rel="next" href="{@page}.html"><small><xsl:value-of select="f:word('next')"/></small><span data-name="{@title}"><xsl:value-of select="@title"/></span></a>
      </xsl:for-each>
    </nav>
  </xsl:template>
</xsl:stylesheet>
