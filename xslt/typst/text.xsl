<?xml version="1.0" encoding="UTF-8"?>
<!-- Chapters, sections, passages: the blocks of the text (mode m:block). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:block" on-no-match="fail" on-multiple-match="fail"/>

  <!-- References and sigla in the margin, numbered through the book: page.typ queries them by number. -->
  <xsl:accumulator name="fp:margin" as="xs:integer" initial-value="0">
    <xsl:accumulator-rule match="p:unit | p:juan | p:note[f:carried(.) or f:beside(.)]" select="$value + 1"/>
  </xsl:accumulator>

  <!-- Blocks with base text, numbered through the book: text.typ queries the page of each. -->
  <xsl:accumulator name="fp:block" as="xs:integer" initial-value="0">
    <xsl:accumulator-rule match="p:passage" select="$value + 1"/>
  </xsl:accumulator>

  <!-- Numbered lines of verse, numbered through the book: page.typ queries them by number. -->
  <xsl:accumulator name="fp:verse" as="xs:integer" initial-value="0">
    <xsl:accumulator-rule match="p:line[@n ne ''] | (p:section | p:passage)[f:is-line(.)]" select="$value + 1"/>
  </xsl:accumulator>

  <!-- A chapter that is only a heading is written with the next one, on whose page it is. -->
  <xsl:template match="p:chapter[f:is-heading(.)]" mode="m:block" priority="1"/>
  <xsl:function name="fp:headings" as="element(p:chapter)*">
    <xsl:param name="chapter" as="element(p:chapter)"/>
    <xsl:sequence select="$chapter/preceding-sibling::p:chapter[1][f:is-heading(.)] ! (fp:headings(.), .)"/>
  </xsl:function>

  <!-- A chapter prints its own head or, if the source has none, its title. -->
  <xsl:template match="p:chapter" mode="m:block" as="element(b:part)">
    <xsl:variable name="short" as="xs:boolean" select="exists(key('f:short', true()))"/>
    <xsl:variable name="headings" as="element(p:chapter)*" select="fp:headings(.)"/>
    <b:part kind="chapter" reference="{f:margin(($headings, .)[1]/@ref)}" divisions="{$headings/@id, @id, descendant::p:section/@id}">
    <xsl:if test="not($short)"><xsl:text expand-text="yes">#filled-pages({f:typst(@id)})[&#10;</xsl:text></xsl:if>
    <xsl:for-each select="$headings">
      <xsl:call-template name="fp:opening"><xsl:with-param name="follows" select="position() gt 1"/></xsl:call-template>
      <xsl:text>)&#10;</xsl:text>
      <xsl:call-template name="m:blocks"/>
    </xsl:for-each>
    <xsl:call-template name="fp:opening">
      <xsl:with-param name="follows" select="if ($short) then exists(preceding-sibling::p:chapter) else exists($headings)"/>
    </xsl:call-template>
    <xsl:if test="f:partly(.)">
      <xsl:text>, witnesses: (</xsl:text>
      <xsl:for-each select="p:coverage">
        <xsl:text expand-text="yes">({f:typst(@siglum)}, ({p:run ! ('(' || @from || ', ' || @to || '),')})),</xsl:text>
      </xsl:for-each>
      <xsl:text>)</xsl:text>
    </xsl:if>
    <xsl:text>)&#10;</xsl:text>
    <xsl:for-each select="f:correspondence(.)">
      <b:run kind="text">#letter-data(<xsl:sequence select="f:literal(.)"/>)&#10;</b:run>
    </xsl:for-each>
    <!-- What is collated is said where it changes. -->
    <xsl:if test="@collation and $v:apparatus ne 'chapter' and not(key('f:collated-once', @collation))">
      <b:run kind="text">#collated(<xsl:sequence select="f:literal(@collation)"/>)&#10;</b:run>
    </xsl:if>
    <!-- Verse of four, five or seven characters has two lines to a row: no line of the chapter has more. -->
    <xsl:call-template name="m:blocks">
      <xsl:with-param name="couplets" as="xs:boolean" tunnel="yes" select="every $line in descendant::p:line
          satisfies string-length(string-join($line//text()[not(ancestor::p:note or ancestor::p:other)])) le 7"/>
    </xsl:call-template>
    <xsl:call-template name="m:endnotes"/>
    <xsl:call-template name="m:translations"/>
    <xsl:call-template name="m:testimonia"/>
    <xsl:if test="not($short and following-sibling::p:chapter)"><xsl:text expand-text="yes">#chapter-end({f:typst(@id)})&#10;</xsl:text></xsl:if>
    <xsl:if test="not($short)"><xsl:text>]&#10;</xsl:text></xsl:if>
    </b:part>
  </xsl:template>

  <!-- The call that opens a chapter, without its closing bracket. Context: the chapter. -->
  <xsl:template name="fp:opening">
    <xsl:param name="follows" as="xs:boolean" required="yes"/>
    <xsl:text expand-text="yes">#chapter({f:typst(@id)}, {f:typst(f:margin(@ref))}, {f:typst(@title)}, shown: {empty(p:passage[@kind = 'head'])}{', follows: true'[$follows]}{', to: "odd"'[$opening eq 'recto']}</xsl:text>
  </xsl:template>

  <xsl:template match="p:section" mode="m:block">
    <xsl:variable name="level" as="xs:integer" select="1 + count(ancestor-or-self::p:section)"/>
    <xsl:text expand-text="yes">#section({f:typst(@id)}, {f:typst(f:margin(@ref))}, {f:typst(@title)}, level: {$level})&#10;</xsl:text>
    <xsl:call-template name="m:blocks"/>
    <xsl:call-template name="m:endnotes"/>
    <xsl:call-template name="m:translations"/>
  </xsl:template>

  <xsl:template match="p:passage" name="m:passage" mode="m:block">
    <xsl:param name="couplets" as="xs:boolean" tunnel="yes" select="false()"/>
    <xsl:variable name="notes" as="element(p:note)*" select="p:commentary//p:note[not(f:beside(.))]"/>
    <xsl:variable name="noted" as="xs:integer" select="string-length($notes[1])"/>
    <!-- The closing line of a section always has two lines before it on its page. -->
    <xsl:variable name="trailer" as="element(p:trailer)?" select="following-sibling::*[1]/self::p:passage/*[1]/self::p:trailer"/>
    <xsl:variable name="closed" as="xs:string" select="$trailer ! (', room: trailer-room(' || string-length(.) || ')' || f:foot-room('100', .)
        || ../p:commentary/(' + first-lines(' || string-length(descendant::p:note[1]) || ')' || f:foot-room('60', descendant::p:note[1])))
        => string()"/>
    <!-- So is base text with the first lines of its note and, if that is short and all, with what closes. -->
    <xsl:variable name="told" as="xs:string" select="f:foot-room('first-lines(' || $noted || ') / note-line * note-columns', $notes[1])"/>
    <xsl:variable name="room" as="xs:string?" select="
        if ($closed and count($notes) lt 2 and $noted lt 100) then $closed || $told
        else if ($told ne '') then ', room: 0pt' || $told
        else f:room-of-form(.)"/>
    <xsl:if test="not(@kind = 'notes' or f:is-cell(.))"><xsl:text expand-text="yes">#spring({if (@kind = 'head') then 2 else 1}, number: {accumulator-before('fp:block')})&#10;</xsl:text></xsl:if>
    <xsl:choose>
      <xsl:when test="@kind = 'notes'"/>
      <xsl:when test="p:unit and f:in-letters(.)">
        <xsl:call-template name="m:letters"><xsl:with-param name="noted" select="$noted"/><xsl:with-param name="room" select="$room"/></xsl:call-template>
      </xsl:when>
      <xsl:when test="p:unit[@verse = 'yes']">
        <xsl:for-each select="p:unit">
          <b:run kind="text" place="{f:place-of(.)}">
          <xsl:text expand-text="yes">#verse(({fp:place(.)}), (</xsl:text>
          <xsl:for-each-group select="p:line" group-starting-with="*[not($couplets) or position() mod 2 eq 1 or preceding-sibling::p:line[1]//p:note]">
            <xsl:text>(</xsl:text>
            <xsl:apply-templates select="current-group()" mode="m:inline"/>
            <xsl:text>),</xsl:text>
          </xsl:for-each-group>
          <xsl:text expand-text="yes">), noted: {if (position() eq last()) then $noted else 0}{if (position() eq last()) then $room else ''})&#10;</xsl:text>
          </b:run>
        </xsl:for-each>
      </xsl:when>
      <xsl:when test="p:unit">
        <b:run kind="text" place="{f:place-of(p:unit[last()])}">
        <xsl:text expand-text="yes">#passage({{{f:shares('base-columns', p:unit)}</xsl:text>
        <xsl:apply-templates select="p:unit" mode="m:inline"/>
        <xsl:apply-templates select="p:commentary/p:note[f:beside(.)]" mode="m:inline"/>
        <xsl:text expand-text="yes">ended({string-length(string-join(p:unit))}, "base", {f:typst(f:margin(p:unit[last()]/@ref))});</xsl:text>
        <xsl:text expand-text="yes">}}, join: {@join = 'yes'}, noted: {$noted}{$room}{f:entry-numbers(p:unit)})&#10;</xsl:text>
        </b:run>
      </xsl:when>
      <xsl:otherwise>
        <xsl:apply-templates select="* except p:commentary" mode="m:block">
          <xsl:with-param name="noted" select="$noted"/>
          <xsl:with-param name="room" select="$room"/>
        </xsl:apply-templates>
      </xsl:otherwise>
    </xsl:choose>
    <xsl:variable name="below" as="element()*" select="p:commentary/*[not(f:beside(.))]"/>
    <xsl:apply-templates select="$below[position() lt last()]" mode="m:note"/>
    <xsl:apply-templates select="$below[last()]" mode="m:note">
      <xsl:with-param name="room" select="$closed"/>
    </xsl:apply-templates>
  </xsl:template>

  <xsl:template match="p:head" mode="m:block">
    <xsl:param name="noted" as="xs:integer" select="0"/>
    <b:run kind="text" place="{f:place-of(.)}">
    <xsl:text expand-text="yes">#head({{{f:shares('base-columns', .)}</xsl:text>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:text expand-text="yes">}}, level: {if (ancestor::p:section or key('f:short', true())) then 2 else 1}, noted: {$noted})&#10;</xsl:text>
    </b:run>
  </xsl:template>

  <xsl:template match="p:trailer | p:prose" mode="m:block">
    <xsl:param name="noted" as="xs:integer" select="0"/>
    <xsl:param name="room" as="xs:string?"/>
    <b:run kind="text" place="{f:place-of(.)}">
    <xsl:text expand-text="yes">#{local-name()}({{{f:shares('base-columns', .)}</xsl:text>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:text expand-text="yes">}}, noted: {$noted}{string-join(($room, f:entry-numbers(.), ', inset: 0pt'[current()/@form])[current()/self::p:prose])})&#10;</xsl:text>
    </b:run>
  </xsl:template>

  <xsl:template match="p:figure" mode="m:block">
    <xsl:param name="noted" as="xs:integer" select="0"/>
    <b:run kind="text" place="{f:place-of(.)}">
      <xsl:text>#figure-lost(</xsl:text>
      <xsl:sequence select="f:literal(normalize-space(.))"/>
      <xsl:text expand-text="yes">, noted: {$noted})&#10;</xsl:text>
    </b:run>
  </xsl:template>

  <!-- Lines of the page that follow each other are one line here. -->
  <xsl:template match="p:furniture[not(preceding-sibling::*[1][self::p:furniture])]" mode="m:block" priority="1">
    <xsl:variable name="next" as="element()?" select="following-sibling::*[not(self::p:furniture)][1]"/>
    <b:run kind="text" place="{f:place-of(.)}">
    <xsl:text>#furniture(</xsl:text>
    <xsl:for-each select="(., following-sibling::p:furniture[empty($next) or . &lt;&lt; $next]) except key('fp:filed', 'yes')">
      <xsl:text>{</xsl:text>
      <xsl:apply-templates select="node()" mode="m:inline"/>
      <xsl:text>}, </xsl:text>
    </xsl:for-each>
    <xsl:text>)&#10;</xsl:text>
    </b:run>
  </xsl:template>

  <xsl:template match="p:furniture" mode="m:block"/>

  <xsl:template match="p:juan" mode="m:block">
    <xsl:text expand-text="yes">#juan({f:typst(@name)}, {accumulator-before('fp:margin')})&#10;</xsl:text>
  </xsl:template>

  <!-- The entries of a division are printed where they are numbered, or by m:endnotes. -->
  <xsl:template match="p:apparatus" mode="m:block"/>

</xsl:stylesheet>
