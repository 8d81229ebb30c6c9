<?xml version="1.0" encoding="UTF-8"?>
<!-- Indexes of a text: commentators, persons, places, works cited, characters and how they were resolved, text-critical remarks. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:template match=".[. eq 'indexes']" mode="m:side" as="node()+">
    <xsl:param name="text" as="element(p:text)" tunnel="yes" required="yes"/>
    <xsl:variable name="parts" as="element(section)*" xpath-default-namespace="">
      <xsl:for-each select="$text">
        <xsl:call-template name="mp:voices"/>
        <xsl:for-each select="map{'index': 'persons', 'name': 'book-persons'}, map{'index': 'places', 'name': 'book-places'}, map{'index': 'works', 'name': 'works-cited'}">
          <xsl:call-template name="mp:names"><xsl:with-param name="index" select="?index"/><xsl:with-param name="name" select="?name"/><xsl:with-param name="text" select="$text"/></xsl:call-template>
        </xsl:for-each>
        <xsl:call-template name="mp:glyphs"/>
        <xsl:call-template name="mp:mended"/>
        <xsl:call-template name="mp:remarks"/>
      </xsl:for-each>
    </xsl:variable>
    <nav class="parts" aria-label="{f:word('indexes')}" xsl:xpath-default-namespace="">
      <xsl:for-each select="$parts"><a href="#{h2/@id}"><xsl:value-of select="h2"/></a></xsl:for-each>
    </nav>
    <xsl:sequence select="$parts"/>
  </xsl:template>

  <!-- A part of the page, if it has content. -->
  <xsl:template name="mp:part" as="element(section)?" xpath-default-namespace="">
    <xsl:param name="name" as="xs:string" required="yes"/>
    <xsl:param name="rows" as="element()*" required="yes"/>
    <xsl:if test="exists($rows)">
      <section aria-labelledby="{$name}"><h2 id="{$name}"><xsl:value-of select="f:word($name)"/></h2><dl><xsl:sequence select="$rows"/></dl></section>
    </xsl:if>
  </xsl:template>

  <!-- The commentators, with their chapters; each link leads to the first note there. -->
  <xsl:template name="mp:voices" as="element()?">
    <xsl:call-template name="mp:part">
      <xsl:with-param name="name" select="'commentators'"/>
      <xsl:with-param name="rows" as="element()*">
        <xsl:for-each-group select="chapter//note[@kind = 'commentary'][@label ne ''][not(ancestor::entry)]" group-by="(@speaker, @label)[1]">
          <xsl:sort select="count(current-group())" order="descending"/>
          <dt lang="lzh"><xsl:choose><xsl:when test="@speaker = ancestor::text/meta/speaker/@id"><a href="{f:person-page(@speaker)}.html"><xsl:value-of select="@label"/></a></xsl:when><xsl:otherwise><xsl:value-of select="@label"/></xsl:otherwise></xsl:choose><small data-name="{@dynasty},{@name}"><xsl:value-of select="normalize-space(@dynasty || ' ' || @name)"/></small></dt>
          <dd>
            <xsl:for-each-group select="current-group()" group-adjacent="string(ancestor::chapter/@page)">
              <a href="{current-grouping-key()}.html#{@id}"><span data-name="{ancestor::chapter/@title}"><xsl:value-of select="ancestor::chapter/@title"/></span><xsl:value-of select="' ', count(current-group())" separator=""/></a>
            </xsl:for-each-group>
          </dd>
        </xsl:for-each-group>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <!-- The persons, places or works that are named, the most frequent first, as books list them. -->
  <xsl:template name="mp:names" as="element()?">
    <xsl:param name="index" as="xs:string" required="yes"/>
    <xsl:param name="name" as="xs:string" required="yes"/>
    <xsl:param name="text" as="element(p:text)" required="yes"/>
    <xsl:call-template name="mp:part">
      <xsl:with-param name="name" select="$name"/>
      <xsl:with-param name="rows" as="element()*">
        <xsl:for-each-group select="$text/chapter//(span | name)[f:index(.) eq $index]" group-by="f:index-key(.)">
          <xsl:sort select="count(current-group())" order="descending"/>
          <xsl:call-template name="mp:row"><xsl:with-param name="words" select="f:index-head(current-grouping-key(), $text)"/></xsl:call-template>
        </xsl:for-each-group>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <!-- Private-use characters of the transcriptions. -->
  <xsl:template name="mp:glyphs" as="element()?">
    <xsl:variable name="glyphs" as="element(p:glyph)*" select="meta/glyph"/>
    <xsl:call-template name="mp:part">
      <xsl:with-param name="name" select="'glyphs'"/>
      <xsl:with-param name="rows" as="element()*">
        <xsl:for-each-group select="chapter//g[not(ancestor::entry)]" group-by="string(@ref)">
          <xsl:sort select="count(current-group())" order="descending"/>
          <xsl:variable name="glyph" as="element(p:glyph)?" select="$glyphs[@id = current-grouping-key()]"/>
          <xsl:call-template name="mp:row">
            <xsl:with-param name="words" select="string-join(('U+' || @code, if (@standard = 'yes') then '→ ' || . else f:word('undecided')), ' ')"/>
            <xsl:with-param name="about" select="string-join(($glyph/@description[. ne ''], $glyph/@cert[. ne ''] ! (f:word('certainty') || ' ' || f:word('cert-' || .))), '。')"/>
          </xsl:call-template>
        </xsl:for-each-group>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <!-- Places that the editor corrected, supplied, or left open. -->
  <xsl:template name="mp:mended" as="element()?">
    <xsl:call-template name="mp:part">
      <xsl:with-param name="name" select="'mended'"/>
      <xsl:with-param name="rows" as="element()*">
        <xsl:for-each-group select="chapter//(corrected | supplied | gap)[not(ancestor::entry)]" group-by="
            if (self::corrected) then fp:within(@sic, '（）', '()') || (if (. ne '') then ' '[$fp:letters] || fp:within(., '〔〕', '⟨⟩') else '')
            else if (self::supplied) then fp:within(., '〔〕', if (@lost) then '[]' else '⟨⟩') || ' ' || f:word('supplied') else (if ($fp:letters and not(@rend)) then '[…]' else .) || ' ' || f:word('lost')">
          <xsl:sort select="local-name()"/><xsl:sort select="count(current-group())" order="descending"/>
          <xsl:call-template name="mp:row"><xsl:with-param name="words" select="current-grouping-key()"/></xsl:call-template>
        </xsl:for-each-group>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <!-- Words in the brackets of Chinese editions, or of those in letters. -->
  <xsl:function name="fp:within" as="xs:string">
    <xsl:param name="words" as="xs:string"/>
    <xsl:param name="cells" as="xs:string"/>
    <xsl:param name="letters" as="xs:string"/>
    <xsl:variable name="pair" as="xs:string" select="if ($fp:letters) then $letters else $cells"/>
    <xsl:sequence select="substring($pair, 1, 1) || $words || substring($pair, 2)"/>
  </xsl:function>

  <!-- Whether the page of indexes has anything. -->
  <xsl:variable name="v:indexed" as="xs:boolean" select="exists(/text/chapter//*[self::g or self::corrected or self::supplied or self::gap
      or self::note[@kind = 'commentary'][@label ne ''] or self::span[@role = ('title', 'textcrit', 'person')] or self::name][not(ancestor::entry)])"/>

  <xsl:template name="mp:remarks" as="element()?">
    <xsl:call-template name="mp:part">
      <xsl:with-param name="name" select="'remarks'"/>
      <xsl:with-param name="rows" as="element()*">
        <xsl:for-each select="chapter//span[@role = 'textcrit'][not(ancestor::entry)]">
          <dt><xsl:call-template name="m:place"/><small lang="lzh"><xsl:value-of select="ancestor::note[1]/@label"/></small></dt>
          <dd lang="lzh">
            <xsl:sequence select="f:shown(string-join(.//text()[not(ancestor::other)]))"/>
            <xsl:if test="@to"><a href="{f:href(@to-page, @to, '')}"><xsl:value-of select="f:word('about-unit'), f:short(f:reference(@to))"/></a></xsl:if>
          </dd>
        </xsl:for-each>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <!-- A row of the current group: term, number, places; long lists are folded. -->
  <xsl:template name="mp:row" as="element()+">
    <xsl:param name="words" as="xs:string" required="yes"/>
    <xsl:param name="about" as="xs:string" select="''"/>
    <dt lang="{ancestor::text/@xml:lang}"><xsl:sequence select="f:shown($words)"/><small><xsl:value-of select="count(current-group())"/></small></dt>
    <dd>
      <xsl:if test="$about"><span><xsl:value-of select="$about"/></span></xsl:if>
      <xsl:variable name="places" as="element()+">
        <xsl:for-each-group select="current-group()" group-adjacent="generate-id(f:place(.))">
          <xsl:call-template name="m:place"><xsl:with-param name="times" select="count(current-group())"/></xsl:call-template>
        </xsl:for-each-group>
      </xsl:variable>
      <xsl:sequence select="$places[position() le 12]"/>
      <xsl:if test="count($places) gt 12">
        <details><summary><xsl:value-of select="f:word('found-more'), count($places) - 12"/></summary><xsl:sequence select="$places[position() gt 12]"/></details>
      </xsl:if>
    </dd>
  </xsl:template>
</xsl:stylesheet>
