<?xml version="1.0" encoding="UTF-8"?>
<!-- Gathers blocks into passages: base text with the commentary that follows it. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The content of a chapter or section as passages. Context: the chapter or section. -->
  <xsl:template name="m:passages" as="element()*">
    <xsl:variable name="items" as="element()*" select="* ! (if (self::p:paragraph) then * except p:space else .)"/>
    <xsl:for-each-group select="$items" group-starting-with="*[fp:opens(.)]">
      <xsl:choose>
        <xsl:when test="self::p:section | self::p:juan | self::p:furniture">
          <xsl:apply-templates select="current-group()" mode="m:number"/>
        </xsl:when>
        <xsl:otherwise>
          <xsl:call-template name="mp:passage"><xsl:with-param name="items" select="current-group()"/></xsl:call-template>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:for-each-group>
  </xsl:template>

  <!-- White space of the source between notes separates them; here each note is a block. -->
  <!-- Whether an item begins a passage. Notes continue the one before; so do units that follow each other in a paragraph,
       and a juan mark inside one. -->
  <xsl:function name="fp:opens" as="xs:boolean">
    <xsl:param name="item" as="element()"/>
    <xsl:variable name="before" as="element()?" select="$item/preceding-sibling::*[not(self::p:space)][1]"/>
    <xsl:sequence select="
        if (fp:is-note($item)) then exists($before[self::p:section | self::p:juan | self::p:furniture]) or
            empty($before) and not($item/parent::p:paragraph/preceding-sibling::*[1]
                [not(self::p:section | self::p:juan | self::p:furniture)])
        else not(fp:goes-on($item)) and (not($item/parent::p:paragraph) or empty($before) or fp:is-note($before))"/>
  </xsl:function>

  <!-- Whether a unit goes on in the sentence of the unit before, of which a note cuts it off: 稽，首 (the editor's punctuation
       has no mark there). Then the note follows both. -->
  <xsl:function name="fp:goes-on" as="xs:boolean">
    <xsl:param name="unit" as="element()"/>
    <xsl:variable name="sibling" as="element(p:unit)?" select="$unit/preceding-sibling::p:unit[1]"/>
    <xsl:variable name="before" as="element(p:unit)?" select="(if ($sibling) then $sibling
        else $unit/parent::p:paragraph/preceding-sibling::*[1]/self::p:paragraph/p:unit[last()])[not(@verse)]"/>
    <xsl:variable name="last" as="text()?" select="($before[$unit/self::p:unit]
        //text()[normalize-space()][not(ancestor::p:note or ancestor::p:other or ancestor::p:entry)])[last()]"/>
    <xsl:sequence select="matches($last, '\p{Lo}$') and exists(($before, $unit)/parent::p:paragraph[@marked])
        and empty($before//p:mark[. &gt;&gt; $last])"/>
  </xsl:function>

  <xsl:function name="fp:is-note" as="xs:boolean">
    <xsl:param name="item" as="element()"/>
    <xsl:sequence select="exists($item[self::p:note | self::p:notes | self::p:app[@block]])"/>
  </xsl:function>

  <xsl:template name="mp:passage" as="element(p:passage)">
    <xsl:param name="items" as="element()+" required="yes"/>
    <xsl:variable name="first" as="element()" select="$items[1]"/>
    <xsl:variable name="notes" as="element()*" select="$items[fp:is-note(.)]"/>
    <passage kind="{
        if (fp:is-note($first)) then 'notes' else if ($first/@verse) then 'verse'
        else if ($first/self::p:unit) then 'jing' else local-name($first)}">
      <xsl:for-each select="$first[not(fp:is-note(.))]/@id">
        <xsl:attribute name="id" select="."/>
        <xsl:attribute name="ref" select="f:reference(.)"/>
      </xsl:for-each>
      <xsl:if test="$first/parent::p:paragraph and $first/preceding-sibling::*"><xsl:attribute name="join" select="'yes'"/></xsl:if>
      <xsl:apply-templates select="$items except $notes" mode="m:number"/>
      <xsl:if test="exists($notes)">
        <commentary><xsl:apply-templates select="$notes" mode="m:number"/></commentary>
      </xsl:if>
    </passage>
  </xsl:template>
</xsl:stylesheet>
