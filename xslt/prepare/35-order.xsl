<?xml version="1.0" encoding="UTF-8"?>
<!-- The order of units in each witness, where it differs from the edition's. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The place of a unit in each witness by its own numbering: benyi=6.4.2+13; kept until units are numbered.
       Context: a unit of TEI. -->
  <xsl:template name="m:own" as="attribute()?">
    <xsl:variable name="marks" as="element(tei:milestone)*" select="tei:milestone[@unit = 'unit']"/>
    <xsl:if test="exists($marks)">
      <xsl:attribute name="own" select="for $ed in distinct-values($marks/@ed) return $ed || '=' || $marks[@ed = $ed][1]/@n"/>
    </xsl:if>
  </xsl:template>

  <!-- Map: id of a unit → benyi=yili.6.2.1, for each witness in which another unit precedes it than in the edition. -->
  <xsl:function name="fp:order" as="map(xs:string, xs:string*)">
    <xsl:param name="units" as="element(p:unit)*"/>
    <xsl:sequence select="map:merge(
        for $witness in distinct-values($units/@own ! tokenize(.) ! substring-before(., '='))
        return fp:order-of($witness, $units[tokenize(@own) ! substring-before(., '=') = $witness]), map{'duplicates': 'combine'})"/>
  </xsl:function>

  <xsl:function name="fp:order-of" as="map(xs:string, xs:string)*">
    <xsl:param name="witness" as="xs:string"/>
    <xsl:param name="units" as="element(p:unit)*"/>
    <xsl:variable name="sorted" as="element(p:unit)*" select="sort($units, (), function($u) { fp:place($u, $witness) })"/>
    <xsl:for-each select="1 to count($units)">
      <xsl:variable name="here" as="xs:integer" select="."/>
      <xsl:variable name="before" as="xs:string?" select="$sorted[$here - 1]/@id"/>
      <xsl:variable name="unit" as="element(p:unit)" select="$sorted[$here]"/>
      <xsl:if test="not($unit is $units[$here]) or not($sorted[$here - 1] is $units[$here - 1])">
        <xsl:variable name="printed" as="xs:string?" select="$units[. &lt;&lt; $unit][last()]/@id"/>
        <xsl:if test="string($before) ne string($printed)">
          <xsl:sequence select="map{string($unit/@id): $witness || '=' || $before}"/>
        </xsl:if>
      </xsl:if>
    </xsl:for-each>
  </xsl:function>

  <!-- The place of a unit in a witness as a sortable string: 6.4.2+13 → 00006.00004.00002.00013. -->
  <xsl:function name="fp:place" as="xs:string">
    <xsl:param name="unit" as="element(p:unit)"/>
    <xsl:param name="witness" as="xs:string"/>
    <xsl:variable name="own" as="xs:string" select="tokenize($unit/@own)[starts-with(., $witness || '=')][1] ! substring-after(., '=')"/>
    <xsl:sequence select="string-join(
        tokenize(translate($own, '.+', '  ')) ! (if (translate(., '0123456789', '') eq '') then substring('00000', string-length(.) + 1) || . else .), '.')"/>
  </xsl:function>
</xsl:stylesheet>
