<?xml version="1.0" encoding="UTF-8"?>
<!-- The text of TEI content, by the rules of pipeline/jiaokan/model/text.py (with their reasons), as edited. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" exclude-result-prefixes="#all">

  <xsl:mode name="mp:plain" on-no-match="shallow-skip"/>

  <!-- The edited text: lemmata, corrections, supplied text; no notes. -->
  <xsl:function name="f:edited" as="xs:string">
    <xsl:param name="nodes" as="node()*"/>
    <xsl:value-of><xsl:apply-templates select="$nodes" mode="mp:plain"/></xsl:value-of>
  </xsl:function>

  <xsl:template match="text()" mode="mp:plain" as="text()?"><xsl:value-of select="translate(., '&#10;', '')"/></xsl:template>
  <xsl:template mode="mp:plain" match="tei:note | tei:noteGrp | tei:rdg | tei:figure | tei:fw | tei:index | tei:pc[not(@type) or @rend]
      | tei:ref[@type = 'call'] | tei:surplus"/>
  <xsl:template match="tei:choice" mode="mp:plain" as="text()?"><xsl:value-of select="tei:corr"/></xsl:template>
  <xsl:template match="tei:supplied | tei:g" mode="mp:plain" as="text()?"><xsl:value-of select="."/></xsl:template>
  <xsl:template match="tei:gap" mode="mp:plain" as="text()?"><xsl:value-of select="(@rend, '〓')[1]"/></xsl:template>

  <!-- A long passage by its beginning and end: 小臣戒…再拜. -->
  <xsl:function name="f:shorten" as="xs:string" visibility="public">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="if (string-length($text) le 12) then $text
        else substring($text, 1, 4) || '…' || substring($text, string-length($text) - 3)"/>
  </xsl:function>

</xsl:stylesheet>
