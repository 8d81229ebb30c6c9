<?xml version="1.0" encoding="UTF-8"?>
<!-- Chapters, sections, passages of the traditional page (mode m:block). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:block" on-no-match="fail" on-multiple-match="fail"/>

  <!-- Empty cells above the words of each kind of block: 士冠礼 and 仪礼集编卷十一 one, 右筮日 two; verse and base text none. -->
  <xsl:variable name="fp:indents" as="map(xs:string, xs:integer)" select="map{
      'head': 1, 'juan-head': 1, 'trailer': 2, 'prose': 1, 'figure': 2, 'category': 1}"/>

  <xsl:function name="f:column" as="xs:string">
    <xsl:param name="kind" as="xs:string"/>
    <xsl:sequence select="f:column($kind, ($fp:indents($kind), 0)[1], ($fp:indents($kind), 0)[1])"/>
  </xsl:function>

  <xsl:function name="f:column" as="xs:string">
    <xsl:param name="kind" as="xs:string"/>
    <xsl:param name="first" as="xs:integer"/>
    <xsl:param name="rest" as="xs:integer"/>
    <xsl:sequence select="'[&quot;column&quot;,' || f:typst($kind) || ',' || $first || ',' || $rest || ']&#10;'"/>
  </xsl:function>

  <xsl:function name="f:division" as="xs:string">
    <xsl:param name="level" as="xs:integer"/>
    <xsl:param name="id" as="xs:string"/>
    <xsl:param name="reference" as="xs:string"/>
    <xsl:param name="title" as="xs:string"/>
    <xsl:sequence select="'[&quot;division&quot;,' || $level || ',' || string-join(($id, $reference, $title) ! f:typst(.), ',') || ']&#10;'"/>
  </xsl:function>

  <!-- A chapter begins on a new leaf and prints its own head or, if the source has none, its title. -->
  <xsl:template match="p:chapter" mode="m:block" as="element(b:part)">
    <b:part kind="chapter" reference="{f:margin(@ref)}">
    <xsl:value-of select="f:line('leaf'), f:division(1, @id, f:margin(@ref), @title)" separator=""/>
    <xsl:if test="empty(p:passage[@kind = 'head'])">
      <xsl:value-of select="f:column('head'), f:line(('title', @title))" separator=""/>
    </xsl:if>
    <xsl:apply-templates select="* except (p:coverage, p:voice)" mode="m:block"/>
    <xsl:call-template name="m:apparatus"/>
    </b:part>
  </xsl:template>

  <xsl:template match="p:section" mode="m:block">
    <xsl:value-of select="f:division(1 + count(ancestor-or-self::p:section), @id, f:margin(@ref), @title)"/>
    <xsl:apply-templates select="*" mode="m:block"/>
    <xsl:call-template name="m:apparatus"/>
  </xsl:template>

  <xsl:template match="p:passage" mode="m:block">
    <!-- What goes on in the same paragraph of the source goes on in the same column; verse not after a gloss. -->
    <xsl:if test="not(@join = 'yes') or @kind = 'verse' and preceding-sibling::*[1]/p:commentary"><xsl:value-of select="f:column(@kind)"/></xsl:if>
    <xsl:apply-templates select="* except p:commentary" mode="m:inline"/>
    <xsl:apply-templates select="p:commentary" mode="m:note"/>
  </xsl:template>

  <!-- A juan begins on a new leaf, and so does the line above its title. -->
  <xsl:template match="p:furniture" mode="m:block">
    <xsl:if test="following-sibling::*[1][self::p:juan]"><xsl:value-of select="f:line('leaf')"/></xsl:if>
    <xsl:if test="not(. intersect key('fp:filed', 'yes'))">
      <xsl:value-of select="if (@kind = 'byline') then f:column('end', 0, 0) else f:column(@kind)"/>
      <xsl:apply-templates select="node()" mode="m:inline"/>
    </xsl:if>
  </xsl:template>

  <xsl:template match="p:juan" mode="m:block">
    <xsl:if test="not(preceding-sibling::*[1][self::p:furniture])"><xsl:value-of select="f:line('leaf')"/></xsl:if>
    <xsl:value-of select="f:line(('juan', @name))"/>
  </xsl:template>

  <!-- Entries are printed by m:apparatus. -->
  <xsl:template match="p:apparatus" mode="m:block"/>

</xsl:stylesheet>
