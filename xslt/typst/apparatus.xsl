<?xml version="1.0" encoding="UTF-8"?>
<!-- The numbers of the variants and the sentences of the apparatus (mode m:entry). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:entry" on-no-match="fail" on-multiple-match="fail"/>

  <!-- Number after the words and sentence at the foot, if the entry of this p:app is printed. -->
  <xsl:template name="m:mark">
    <xsl:if test="f:printed(.)">
      <xsl:variable name="sign" as="xs:string" select="f:sign(.)"/>
      <xsl:variable name="entry" as="element(p:entry)" select="f:entry(.)"/>
      <xsl:variable name="cells" as="xs:integer" select="string-length($sign) + string-length($entry/p:sentence)"/>
      <xsl:text expand-text="yes">entry({f:typst($sign)}, {accumulator-after('fp:running')}, {$cells}, {{</xsl:text>
      <xsl:apply-templates select="$entry" mode="m:entry"/>
      <xsl:text>});</xsl:text>
    </xsl:if>
  </xsl:template>

  <xsl:template match="p:entry" mode="m:entry">
    <xsl:apply-templates select="p:sentence/node()" mode="m:entry"/>
  </xsl:template>

  <xsl:template match="text()" mode="m:entry">
    <xsl:text expand-text="yes">{f:typst(.)};</xsl:text>
  </xsl:template>

  <xsl:template match="p:q" mode="m:entry">
    <xsl:apply-templates select="node()" mode="m:entry"/>
  </xsl:template>

  <xsl:template match="p:siglum" mode="m:entry">
    <xsl:text expand-text="yes">{f:typst(.)};</xsl:text>
  </xsl:template>

  <xsl:template match="p:class" mode="m:entry">
    <xsl:text expand-text="yes">variant-class({f:typst(.)});</xsl:text>
  </xsl:template>

  <!-- That a witness has what follows elsewhere. -->
  <xsl:template match="p:move" mode="m:inline">
    <xsl:variable name="words" as="xs:string" select="'以下' || @siglum || '在' || f:margin(@to-ref) || '。'"/>
    <xsl:text expand-text="yes">entry("※", {accumulator-after('fp:running')}, {string-length($words) + 1}, {f:typst($words)});</xsl:text>
  </xsl:template>

</xsl:stylesheet>
