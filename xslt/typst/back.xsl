<?xml version="1.0" encoding="UTF-8"?>
<!-- What stands after the text: commentators, signs of lost characters, colophon (mode m:back). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:back" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="p:meta" mode="m:back">
    <xsl:variable name="heard" as="xs:string*" select="distinct-values(..//p:note/@speaker)"/>
    <xsl:variable name="speakers" as="element(p:speaker)*" select="p:speaker[@id = $heard]"/>
    <xsl:if test="$speakers and f:part('speakers')">
      <xsl:text expand-text="yes">#part("speakers", {f:typst(f:said('注家'))}, speakers(</xsl:text>
      <xsl:apply-templates select="$speakers" mode="m:back"/>
      <xsl:text>))&#10;</xsl:text>
    </xsl:if>
    <xsl:if test="f:part('works') and ..//p:span[f:cited(.)]">
      <xsl:text expand-text="yes">#part("works", {f:typst(f:said('引书'))}, works())&#10;</xsl:text>
    </xsl:if>
    <xsl:if test="f:part('glyphs') and p:glyph">
      <xsl:text expand-text="yes">#part("glyphs", {f:typst(f:said('字形'))}, {{glyphs(</xsl:text>
      <xsl:apply-templates select="p:glyph" mode="m:back"/>
      <xsl:text>)})&#10;</xsl:text>
    </xsl:if>
    <xsl:variable name="slips" as="element(p:slip)*" select="f:slips(..)"/>
    <xsl:if test="f:part('slips') and $slips">
      <xsl:text expand-text="yes">#part("slips", {f:typst(f:said('转录订误'))}, slips(</xsl:text>
      <xsl:for-each select="$slips"><xsl:text expand-text="yes">({f:typst(@ref)}, {f:typst(.)}),</xsl:text></xsl:for-each>
      <xsl:text>))&#10;</xsl:text>
    </xsl:if>
    <xsl:call-template name="m:colophon"/>
  </xsl:template>

  <xsl:template match="p:speaker" mode="m:back">
    <xsl:variable name="id" as="xs:string" select="@id"/>
    <xsl:text expand-text="yes">({f:typst(@label)}, {f:typst(@dynasty)}, {f:typst(@name)}, {f:typst(@id)}),</xsl:text>
  </xsl:template>

  <xsl:template match="p:glyph" mode="m:back">
    <xsl:text expand-text="yes">({f:typst('U+' || substring-after(@id, 'g-'))}, {f:typst(f:resolved(.))}, {f:typst(f:places(.))}, {f:typst(@description)}),</xsl:text>
  </xsl:template>

</xsl:stylesheet>
