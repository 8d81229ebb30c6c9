<?xml version="1.0" encoding="UTF-8"?>
<!-- The parts after the text: commentators, signs of lost characters, colophon (mode m:back). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:back" on-no-match="fail" on-multiple-match="fail"/>

  <!-- Each part as a `p:part`, like those before the text. -->
  <xsl:template match="p:meta" mode="m:back" as="element(p:part)*">
    <!-- In a book in letters what the header of the file states is after the text. -->
    <xsl:if test="p:stated and f:part('principles') and f:in-letters(.)"><xsl:call-template name="fp:stated"/></xsl:if>
    <xsl:sequence select="fp:part('speakers', 'book-commentators', f:speaker-groups(..))"/>
    <xsl:sequence select="fp:part('persons', 'book-persons', f:index-groups(.., 'persons'))"/>
    <xsl:sequence select="fp:part('places', 'book-places', f:index-groups(.., 'places'))"/>
    <xsl:sequence select="fp:part('works', 'book-works-cited', f:index-groups(.., 'works'))"/>
    <xsl:if test="f:part('glyphs') and p:glyph">
      <p:part id="glyphs" title="{f:word('book-lost-graphs')}">
        <xsl:text>{glyphs(</xsl:text>
        <xsl:apply-templates select="p:glyph" mode="m:back"/>
        <xsl:text>)}</xsl:text>
      </p:part>
    </xsl:if>
    <xsl:variable name="slips" as="element(p:slip)*" select="f:slips(..)"/>
    <xsl:if test="f:part('slips') and $slips">
      <p:part id="slips" title="{f:word('book-slips')}">
        <xsl:text>slips(</xsl:text>
        <xsl:variable name="book" as="node()" select="root()"/>
        <xsl:for-each select="$slips">
          <xsl:text expand-text="yes">({f:typst(@ref)}, {{</xsl:text>
          <xsl:sequence select="f:with-sigla(., $book)"/>
          <xsl:text>}),</xsl:text>
        </xsl:for-each>
        <xsl:text>)</xsl:text>
      </p:part>
    </xsl:if>
  </xsl:template>

  <!-- An index, if there is anything in it. -->
  <xsl:function name="fp:part" as="element(p:part)?">
    <xsl:param name="id" as="xs:string"/>
    <xsl:param name="title" as="xs:string"/>
    <xsl:param name="groups" as="element(p:group)*"/>
    <xsl:if test="f:part($id) and $groups">
      <p:part id="{$id}" title="{f:word($title)}">
        <xsl:text expand-text="yes">entries("{$id}", (</xsl:text>
        <xsl:for-each select="$groups">
          <xsl:text expand-text="yes">({f:typst(@name)}, ({string-join(p:row ! ('(' || f:typst(@key) || ', ' || f:typst(@head) || ', ' || f:typst(@also) || '),'))})),</xsl:text>
        </xsl:for-each>
        <xsl:text>))</xsl:text>
      </p:part>
    </xsl:if>
  </xsl:function>

  <xsl:template match="p:glyph" mode="m:back">
    <xsl:text expand-text="yes">({f:typst('U+' || substring-after(@id, 'g-'))}, {f:typst(f:resolved(.))}, {f:typst(f:places(.))}, {f:typst(@description)}),</xsl:text>
  </xsl:template>

</xsl:stylesheet>
