<?xml version="1.0" encoding="UTF-8"?>
<!-- The numbers of the variants and the sentences of the apparatus (mode m:entry). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:entry" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:key name="fp:entry" match="p:entry" use="@id"/>

  <!-- Printed entries from the beginning of the book: what edition.typ gathers by page. -->
  <xsl:accumulator name="fp:running" as="xs:integer" initial-value="0">
    <xsl:accumulator-rule phase="end" match="p:app[f:printed(.)] | p:move" select="$value + 1"/>
  </xsl:accumulator>

  <!-- Printed entries from the beginning of the division: the number that the reader sees. -->
  <xsl:accumulator name="fp:number" as="xs:integer" initial-value="0">
    <xsl:accumulator-rule match="p:chapter | p:section" select="0"/>
    <xsl:accumulator-rule phase="end" match="p:app[f:printed(.)]" select="$value + 1"/>
  </xsl:accumulator>

  <!-- A variant is printed if it is heavy enough; a repeated difference of writing only where it is met first. -->
  <xsl:function name="f:printed" as="xs:boolean">
    <xsl:param name="app" as="element(p:app)"/>
    <xsl:variable name="entry" as="element(p:entry)?" select="key('fp:entry', $app/@id, root($app))"/>
    <xsl:sequence select="exists($entry) and xs:integer($app/@rank) ge $v:rank
        and not($entry/@same-as and xs:integer($app/@rank) le 1)"/>
  </xsl:function>

  <!-- Number after the words and sentence at the foot, if the entry of this p:app is printed. -->
  <xsl:template name="m:mark">
    <xsl:if test="f:printed(.)">
      <xsl:variable name="sign" as="xs:string" select="'〔' || f:hanzi(accumulator-after('fp:number')) || '〕'"/>
      <xsl:variable name="entry" as="element(p:entry)" select="key('fp:entry', @id)"/>
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
