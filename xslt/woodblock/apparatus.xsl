<?xml version="1.0" encoding="UTF-8"?>
<!-- 校勘记 at the end of a chapter, in double lines; numbers beside the words (mode m:entry). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:entry" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template name="m:mark">
    <xsl:if test="f:printed(.)"><xsl:value-of select="f:line(('mark', f:sign(.)))"/></xsl:if>
  </xsl:template>

  <xsl:template match="p:move" mode="m:inline"><xsl:value-of select="f:line(('mark', '※'))"/></xsl:template>

  <!-- Context: a chapter. The entries of each division under its title, in the order of their numbers. -->
  <xsl:template name="m:apparatus">
    <xsl:variable name="marked" as="element()*" select=".//p:app[f:printed(.)] | .//p:move"/>
    <xsl:if test="exists($marked)">
      <xsl:value-of select="f:line('skip'), f:column('head', 1, 1), f:line(('title', '校勘记'))" separator=""/>
      <xsl:for-each-group select="$marked" group-adjacent="generate-id(ancestor::*[self::p:section or self::p:chapter][1])">
        <xsl:variable name="division" as="element()" select="ancestor::*[self::p:section or self::p:chapter][1]"/>
        <xsl:value-of select="f:column('head', 2, 3), f:line(('label-wide', $division/@title))" separator=""/>
        <xsl:value-of select="f:column('entries', 3, 3)"/>
        <xsl:apply-templates select="current-group()" mode="m:entry"/>
      </xsl:for-each-group>
    </xsl:if>
  </xsl:template>

  <xsl:template match="p:app" mode="m:entry">
    <xsl:value-of select="f:line(('sign', f:sign(.)))"/>
    <xsl:apply-templates select="f:entry(.)/p:sentence" mode="m:entry"/>
    <xsl:value-of select="f:line(('entry', '　'))"/>
  </xsl:template>

  <xsl:template match="p:sentence" mode="m:entry"><xsl:value-of select="f:line(('entry', string(.)))"/></xsl:template>

  <xsl:template match="p:move" mode="m:entry">
    <xsl:value-of select="f:line(('sign', '※')), f:line(('entry', '以下' || @siglum || '在' ||
        translate(f:margin(@to-ref), '0123456789.', '〇一二三四五六七八九·') || '。　'))" separator=""/>
  </xsl:template>

</xsl:stylesheet>
