<?xml version="1.0" encoding="UTF-8"?>
<!-- The text of TEI content, by the rules of pipeline/model/text.py (with their reasons): as edited, as shown, as surviving. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" exclude-result-prefixes="#all">

  <xsl:mode name="mp:plain" on-no-match="shallow-skip"/>

  <!-- The edited text: lemmata, corrections, supplied text; no notes. -->
  <xsl:function name="f:edited" as="xs:string">
    <xsl:param name="nodes" as="node()*"/>
    <xsl:sequence select="fp:view($nodes, 'edited')"/>
  </xsl:function>

  <!-- The words of a reading as an entry quotes them: not corrected; lost places as 〓 or by their own sign. -->
  <xsl:function name="f:as-printed" as="xs:string">
    <xsl:param name="nodes" as="node()*"/>
    <xsl:sequence select="fp:view($nodes, 'shown')"/>
  </xsl:function>

  <!-- The part of these that is evidence for a reading: without lost places and unknown glyphs. -->
  <xsl:function name="f:surviving" as="xs:string">
    <xsl:param name="nodes" as="node()*"/>
    <xsl:sequence select="fp:view($nodes, 'surviving')"/>
  </xsl:function>

  <xsl:function name="fp:view" as="xs:string">
    <xsl:param name="nodes" as="node()*"/>
    <xsl:param name="view" as="xs:string"/>
    <xsl:value-of>
      <xsl:apply-templates select="$nodes" mode="mp:plain"><xsl:with-param name="view" select="$view" tunnel="yes"/></xsl:apply-templates>
    </xsl:value-of>
  </xsl:function>

  <xsl:template match="text()" mode="mp:plain" as="text()?"><xsl:value-of select="translate(., '&#10;', '')"/></xsl:template>
  <xsl:template mode="mp:plain" match="tei:note | tei:noteGrp | tei:rdg | tei:figure | tei:fw | tei:index | tei:pc[not(@type)]
      | tei:ref[@type = 'call']"/>
  <xsl:template match="tei:choice" mode="mp:plain" as="text()?">
    <xsl:param name="view" as="xs:string" tunnel="yes"/>
    <xsl:value-of select="if ($view eq 'edited') then tei:corr else tei:sic"/>
  </xsl:template>
  <xsl:template match="tei:surplus" mode="mp:plain" as="text()?">
    <xsl:param name="view" as="xs:string" tunnel="yes"/>
    <xsl:value-of select="if ($view eq 'edited') then '' else ."/>
  </xsl:template>
  <xsl:template match="tei:supplied" mode="mp:plain" as="text()?">
    <xsl:param name="view" as="xs:string" tunnel="yes"/>
    <xsl:value-of select="if ($view eq 'edited') then . else if ($view eq 'shown') then '〓' else ''"/>
  </xsl:template>
  <xsl:template match="tei:gap" mode="mp:plain" as="text()?">
    <xsl:param name="view" as="xs:string" tunnel="yes"/>
    <xsl:value-of select="if ($view eq 'surviving') then '' else (@rend, '〓')[1]"/>
  </xsl:template>
  <xsl:template match="tei:g" mode="mp:plain" as="text()?">
    <xsl:param name="view" as="xs:string" tunnel="yes"/>
    <xsl:value-of select="if ($view eq 'surviving') then translate(., '〓', '') else string(.)"/>
  </xsl:template>

  <!-- A long passage by its beginning and end: 小臣戒…再拜. -->
  <xsl:function name="f:shorten" as="xs:string" visibility="public">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="if (string-length($text) le 12) then $text
        else substring($text, 1, 4) || '…' || substring($text, string-length($text) - 3)"/>
  </xsl:function>

</xsl:stylesheet>
