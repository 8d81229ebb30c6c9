<?xml version="1.0" encoding="UTF-8"?>
<!-- The map of a chapter: a row for each section with its variants by weight and the comments of each speaker; a link to it. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:math="http://www.w3.org/2005/xpath-functions/math" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Width of the titles, of the variants, and of a speaker's column; height of a row. -->
  <xsl:variable name="fp:titles" as="xs:integer" select="150"/>
  <xsl:variable name="fp:varies" as="xs:integer" select="90"/>
  <xsl:variable name="fp:column" as="xs:integer" select="44"/>
  <xsl:variable name="fp:high" as="xs:integer" select="20"/>

  <!-- Context: the chapter. -->
  <xsl:template name="m:map" as="element()?">
    <xsl:variable name="sections" as="element(p:section)*" select="section"/>
    <xsl:variable name="voices" as="element(p:voice)*" select="sort(voice, (), function($voice) { -xs:integer($voice/@notes) })[position() le 5]"/>
    <xsl:if test="count($sections) gt 1 and (exists($voices) or .//apparatus)">
      <nav class="map" aria-label="{f:word('map')}">
        <details>
          <summary><xsl:value-of select="f:word('map')"/></summary>
          <div>
            <svg xmlns="http://www.w3.org/2000/svg" class="jk" width="{$fp:titles + $fp:varies + $fp:column * (count($voices) + 1)}" height="{$fp:high * (count($sections) + 1) + 4}">
              <text class="s" x="{$fp:titles}" y="13"><xsl:value-of select="f:word('map-variants')"/></text>
              <xsl:for-each select="$voices">
                <text class="s" x="{$fp:titles + $fp:varies + $fp:column * (position() - 1)}" y="13"><xsl:value-of select="@label"/></text>
              </xsl:for-each>
              <xsl:if test="exists($sections ! fp:elsewhere(.))">
                <text class="s" x="{$fp:titles + $fp:varies + $fp:column * count($voices)}" y="13"><xsl:value-of select="f:word('map-quoted')"/></text>
              </xsl:if>
              <xsl:variable name="most" as="xs:integer" select="max((1, $sections ! count(fp:heavy(.))))"/>
              <xsl:variable name="longest" as="xs:integer" select="max((1, for $section in $sections, $voice in $voices return fp:said($section, $voice)))"/>
              <xsl:for-each select="$sections">
                <xsl:call-template name="fp:of-section">
                  <xsl:with-param name="y" select="$fp:high * position()"/>
                  <xsl:with-param name="voices" select="$voices"/>
                  <xsl:with-param name="most" select="$most"/>
                  <xsl:with-param name="longest" select="$longest"/>
                </xsl:call-template>
              </xsl:for-each>
            </svg>
            <p class="how"><xsl:value-of select="f:word('map-how')"/></p>
          </div>
        </details>
      </nav>
    </xsl:if>
  </xsl:template>

  <!-- A section. Bars: variants that change words full, others hollow; comments by their characters, as a square root. -->
  <xsl:template name="fp:of-section" as="element()">
    <xsl:param name="y" as="xs:integer" required="yes"/>
    <xsl:param name="voices" as="element(p:voice)*" required="yes"/>
    <xsl:param name="most" as="xs:integer" required="yes"/>
    <xsl:param name="longest" as="xs:integer" required="yes"/>
    <xsl:variable name="here" as="element(p:section)" select="."/>
    <xsl:variable name="heavy" as="element(p:entry)*" select="fp:heavy(.)"/>
    <xsl:variable name="words" as="xs:integer" select="count($heavy[@rank = '3'])"/>
    <xsl:variable name="quoted" as="xs:integer" select="count(fp:elsewhere(.))"/>
    <xsl:variable name="unit" as="xs:double" select="($fp:varies - 12) div $most"/>
    <a xmlns="http://www.w3.org/2000/svg" href="#{@id}" aria-label="{f:short(@ref)} {@title}: {f:word('map-variants')} {count($heavy)} ({$words}){
        string-join(($voices ! (let $label := string(@label) return fp:said($here, .)[. gt 0] ! (', ' || $label || ' ' || .)),
        $quoted[. gt 0] ! (', ' || f:word('quoted-by') || ' ' || .)))}">
      <rect class="at" y="{$y}"/>
      <text x="4" y="{$y + 15}"><xsl:value-of select="f:short(@ref), substring(f:called(.), 1, 7)[. ne f:short($here/@ref)]"/></text>
      <xsl:if test="$words"><rect class="red" x="{$fp:titles}" y="{$y + 5}" width="{format-number($words * $unit, '0.0')}"/></xsl:if>
      <xsl:if test="count($heavy) gt $words"><rect class="m r" x="{format-number($fp:titles + $words * $unit, '0.0')}" y="{$y + 5.5}"
          width="{format-number((count($heavy) - $words) * $unit, '0.0')}"/></xsl:if>
      <xsl:for-each select="$voices">
        <xsl:variable name="said" as="xs:integer" select="fp:said($here, .)"/>
        <xsl:if test="$said"><rect x="{$fp:titles + $fp:varies + $fp:column * (position() - 1)}" y="{$y + 5}"
            width="{format-number(max((1, math:sqrt($said div $longest) * ($fp:column - 6))), '0.0')}"/></xsl:if>
      </xsl:for-each>
      <xsl:if test="$quoted"><text class="s" x="{$fp:titles + $fp:varies + $fp:column * count($voices)}" y="{$y + 15}"><xsl:value-of select="$quoted"/></text></xsl:if>
    </a>
  </xsl:template>

  <!-- The entries of a section that are shown at rest: no script pairs and graphic variants. -->
  <xsl:function name="fp:heavy" as="element(p:entry)*">
    <xsl:param name="section" as="element(p:section)"/>
    <xsl:sequence select="$section//apparatus/entry[not(@sums)][xs:integer(@rank) ge 2]"/>
  </xsl:function>

  <!-- The comments of other chapters and texts that quote a section. -->
  <xsl:function name="fp:elsewhere" as="element(p:by)*">
    <xsl:param name="section" as="element(p:section)"/>
    <xsl:sequence select="f:quoting($section)[not(starts-with(@id, $section/ancestor::chapter/@id || '.'))]"/>
  </xsl:function>

  <!-- How many characters a speaker says in a section. -->
  <xsl:function name="fp:said" as="xs:integer">
    <xsl:param name="section" as="element(p:section)"/>
    <xsl:param name="voice" as="element(p:voice)"/>
    <xsl:sequence select="sum($section//commentary//note[@label = $voice/@label] ! string-length(normalize-space(.))) cast as xs:integer"/>
  </xsl:function>
</xsl:stylesheet>
