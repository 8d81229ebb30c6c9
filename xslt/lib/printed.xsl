<?xml version="1.0" encoding="UTF-8"?>
<!-- What both printed layouts share: which entries are shown, how they are numbered, how references are written. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

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
    <xsl:variable name="entry" as="element(p:entry)?" select="f:entry($app)"/>
    <xsl:sequence select="exists($entry) and xs:integer($app/@rank) ge $v:rank
        and not($entry/@same-as and xs:integer($app/@rank) le 1)"/>
  </xsl:function>

  <!-- Sign of a printed entry, after its words and before its sentence. -->
  <xsl:function name="f:sign" as="xs:string">
    <xsl:param name="app" as="element(p:app)"/>
    <xsl:sequence select="'〔' || f:hanzi($app/accumulator-after('fp:number')) || '〕'"/>
  </xsl:function>

  <!-- Reference as the margin prints it: yili:6.3.2 → 6.3.2. -->
  <xsl:function name="f:margin" as="xs:string">
    <xsl:param name="reference" as="xs:string?"/>
    <xsl:sequence select="replace(string($reference), '^[^:]*:', '')"/>
  </xsl:function>

  <!-- The entry of a variant. -->
  <xsl:function name="f:entry" as="element(p:entry)?">
    <xsl:param name="app" as="element(p:app)"/>
    <xsl:sequence select="key('fp:entry', $app/@id, root($app))"/>
  </xsl:function>

</xsl:stylesheet>
