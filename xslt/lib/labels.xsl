<?xml version="1.0" encoding="UTF-8"?>
<!-- Numbers in the words of an edition's text and apparatus. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors" exclude-result-prefixes="#all">

  <!-- A whole number in Chinese numerals: 12 → 十二, 105 → 一百零五; from 10,000 on, and in English, in digits. -->
  <xsl:function name="f:hanzi" as="xs:string" visibility="public">
    <xsl:param name="number" as="xs:integer"/>
    <xsl:variable name="digits" as="xs:string*" select="'零', '一', '二', '三', '四', '五', '六', '七', '八', '九'"/>
    <xsl:choose>
      <xsl:when test="$number lt 0 or $number ge 10000 or not($v:chinese)"><xsl:sequence select="string($number)"/></xsl:when>
      <xsl:when test="$number lt 10"><xsl:sequence select="$digits[$number + 1]"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="unit" as="xs:integer" select="(1000, 100, 10)[. le $number][1]"/>
        <xsl:variable name="rest" as="xs:integer" select="$number mod $unit"/>
        <xsl:sequence select="
            (if ($number lt 20) then '' else $digits[$number idiv $unit + 1])
            || map{1000: '千', 100: '百', 10: '十'}($unit)
            || (if ($rest eq 0) then '' else (if ($rest * 10 lt $unit) then '零' else '')
                || (if ($rest ge 10 and $rest lt 20) then '一' else '') || f:hanzi($rest))"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:function>

  <!-- A whole number digit by digit, as notes are numbered in print: 12 → 一二, 105 → 一〇五. -->
  <xsl:function name="f:digits" as="xs:string" visibility="public">
    <xsl:param name="number" as="xs:integer"/>
    <xsl:sequence select="translate(string($number), if (not($v:chinese)) then '' else '0123456789', '〇一二三四五六七八九')"/>
  </xsl:function>

</xsl:stylesheet>
