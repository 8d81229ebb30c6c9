<?xml version="1.0" encoding="UTF-8"?>
<!-- The program's own words, from the catalogue of a language; Chinese ones in the script of the edition. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:f="urn:jiaokan:functions" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors" exclude-result-prefixes="#all">

  <xsl:variable name="v:plain" as="xs:string" select="string-join(tokenize($forms) ! substring(., 1, 1))"/>
  <xsl:variable name="v:formed" as="xs:string" select="string-join(tokenize($forms) ! substring(., 2, 1))"/>

  <!-- The word or sentence of a key, which is the id of a message without term-; an unknown key is an error in a stylesheet. -->
  <xsl:function name="f:word" as="xs:string" visibility="public">
    <xsl:param name="key" as="xs:string"/>
    <xsl:sequence select="translate(($v:words($key), error(xs:QName('e:WORD'), 'no word for ' || $key))[1], $v:plain, $v:formed)"/>
  </xsl:function>

  <!-- A sentence with its values, {name}, which are not converted. -->
  <xsl:function name="f:word" as="xs:string" visibility="public">
    <xsl:param name="key" as="xs:string"/>
    <xsl:param name="values" as="map(xs:string, xs:string)"/>
    <xsl:variable name="pieces" as="xs:string*">
      <xsl:analyze-string select="f:word($key)" regex="\{{([a-z]+)\}}">
        <xsl:matching-substring><xsl:sequence select="$values(regex-group(1))"/></xsl:matching-substring>
        <xsl:non-matching-substring><xsl:sequence select="."/></xsl:non-matching-substring>
      </xsl:analyze-string>
    </xsl:variable>
    <xsl:sequence select="string-join($pieces)"/>
  </xsl:function>

  <!-- The evidence of a judgement in words: the tables, rules and decisions that rdg/@corresp names; another as it is. -->
  <xsl:function name="f:evidence" as="xs:string" visibility="public">
    <xsl:param name="source" as="xs:string"/>
    <xsl:sequence select="string-join(distinct-values(tokenize($source) ! (let $key := 'evidence-' || translate(., ':', '-')
        return if (contains(., ':') and map:contains($v:words, $key)) then f:word($key) else .)), f:word('listing'))"/>
  </xsl:function>
</xsl:stylesheet>
