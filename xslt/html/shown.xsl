<?xml version="1.0" encoding="UTF-8"?>
<!-- Words as a page shows them: a character that our font lacks stays in the page, and CSS draws its substitute over it; one without a decided form (〓) is shown where a font of the reader has it. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" exclude-result-prefixes="#all">

  <xsl:variable name="fp:lacking" as="xs:string" select="string-join(map:keys($v:substitutes))"/>

  <xsl:function name="f:shown" as="node()*">
    <xsl:param name="words" as="xs:string"/>
    <xsl:choose>
      <!-- matches() would take ten times as long. -->
      <xsl:when test="translate($words, $fp:lacking, '') ne $words">
        <xsl:analyze-string select="$words" regex="[{$fp:lacking}]">
          <xsl:matching-substring>
            <xsl:variable name="form" as="xs:string" select="$v:substitutes(.)"/>
            <xsl:variable name="code" as="xs:string" select="'U+' || fp:hexadecimal(string-to-codepoints(.))"/>
            <span class="lack{if ($form eq '〓') then ' rare' else ''}" data-form="{$form}" data-code="{$code}" title="{f:word('no-font')} {$form} ({$code})"><span><xsl:value-of select="."/></span></span>
          </xsl:matching-substring>
          <xsl:non-matching-substring><xsl:value-of select="."/></xsl:non-matching-substring>
        </xsl:analyze-string>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$words"/></xsl:otherwise>
    </xsl:choose>
  </xsl:function>

  <xsl:function name="fp:hexadecimal" as="xs:string">
    <xsl:param name="number" as="xs:integer"/>
    <xsl:sequence select="
        (if ($number ge 16) then fp:hexadecimal($number idiv 16) else '') || substring('0123456789ABCDEF', $number mod 16 + 1, 1)"/>
  </xsl:function>

</xsl:stylesheet>
