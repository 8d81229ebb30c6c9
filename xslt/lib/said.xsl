<?xml version="1.0" encoding="UTF-8"?>
<!-- The stylesheets' own words: written in simplified Chinese, shown in the script or language of the edition. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors" exclude-result-prefixes="#all">

  <!-- Words of print, and parts of sentences; %1, %2 are placeholders. In English: said.json, which the Typst templates use too. -->
  <xsl:variable name="fp:english-said" as="map(xs:string, xs:string)" select="json-doc('said.json')"/>

  <xsl:variable name="v:plain" as="xs:string" select="string-join(tokenize($forms) ! substring(., 1, 1))"/>
  <xsl:variable name="v:formed" as="xs:string" select="string-join(tokenize($forms) ! substring(., 2, 1))"/>

  <!-- A stylesheet's own words. Words without English are an error in a stylesheet. -->
  <xsl:function name="f:said" as="xs:string" visibility="public">
    <xsl:param name="words" as="xs:string"/>
    <xsl:sequence select="
        if ($interface ne 'en') then translate($words, $v:plain, $v:formed)
        else ($fp:english-said($words), error(xs:QName('e:WORD'), 'no English for ' || $words))[1]"/>
  </xsl:function>

  <!-- A sentence with its placeholders filled in; the values are not converted. -->
  <xsl:function name="f:said" as="xs:string" visibility="public">
    <xsl:param name="words" as="xs:string"/>
    <xsl:param name="with" as="xs:string*"/>
    <xsl:variable name="pieces" as="xs:string*">
      <xsl:analyze-string select="f:said($words)" regex="%([0-9])">
        <xsl:matching-substring><xsl:sequence select="$with[xs:integer(regex-group(1))]"/></xsl:matching-substring>
        <xsl:non-matching-substring><xsl:sequence select="."/></xsl:non-matching-substring>
      </xsl:analyze-string>
    </xsl:variable>
    <xsl:sequence select="string-join($pieces)"/>
  </xsl:function>
</xsl:stylesheet>
