<?xml version="1.0" encoding="UTF-8"?>
<!-- What the header of somebody else's file states, as rows for pages and print. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- What elements of a header state, by name: in simplified Chinese, in English; empty: words that need no label. -->
  <xsl:variable name="v:labels" as="map(xs:string, array(xs:string))" select="json-doc('header.json')" visibility="public"/>

  <!-- The label of a statement: the file's own, else that of its element; a general one, with its name, for an unknown element. -->
  <xsl:function name="f:stated-label" as="xs:string" visibility="public">
    <xsl:param name="stated" as="element(p:stated)"/>
    <xsl:variable name="label" as="array(xs:string)?" select="$v:labels($stated/@name)"/>
    <xsl:sequence select="
        if ($stated/@label) then string($stated/@label)
        else if (exists($label)) then f:stated-word($label)
        else f:stated-word(['所记', 'Statement']) || ' (' || $stated/@name || ')'"/>
  </xsl:function>

  <xsl:function name="f:stated-word" as="xs:string" visibility="public">
    <xsl:param name="word" as="array(xs:string)"/>
    <xsl:sequence select="if ($interface eq 'en') then $word(2) else translate($word(1), $v:plain, $v:formed)"/>
  </xsl:function>

  <!-- The parts of a header: those of its fileDesc, and the others. -->
  <xsl:function name="f:stated-parts" as="element(p:stated)*" visibility="public">
    <xsl:param name="meta" as="element(p:meta)"/>
    <xsl:sequence select="$meta/p:stated/p:stated/(if (@name = 'fileDesc') then p:stated else .)[.//(p:said | p:also)]"/>
  </xsl:function>

  <!-- The words of a statement for print: addresses that its links lead to are in brackets. -->
  <xsl:function name="f:stated-words" as="xs:string" visibility="public">
    <xsl:param name="stated" as="element(p:stated)"/>
    <xsl:sequence select="string-join(($stated/p:said ! normalize-space(string-join(node() ! (if (self::p:link[normalize-space() ne @target]) then . || ' (' || @target || ')' else string(.)))),
        string-join($stated/p:also, ', ')[.] ! ('(' || . || ')')), ' ')"/>
  </xsl:function>

  <!-- The rows of a part for print: its own words, then what is in it. -->
  <xsl:function name="f:own-rows" as="element(p:row)*" visibility="public">
    <xsl:param name="part" as="element(p:stated)"/>
    <xsl:variable name="words" as="xs:string" select="f:stated-words($part)"/>
    <xsl:if test="$words ne ''"><p:row level="0" label=""><xsl:value-of select="$words"/></p:row></xsl:if>
    <xsl:sequence select="f:stated-rows($part/p:stated, 0)"/>
  </xsl:function>

  <!-- The rows of a list for print, each with its level: label and words. A list without label or words is its parts. -->
  <xsl:function name="f:stated-rows" as="element(p:row)*" visibility="public">
    <xsl:param name="stated" as="element(p:stated)*"/>
    <xsl:param name="level" as="xs:integer"/>
    <xsl:for-each select="$stated[.//(p:said | p:also)]">
      <xsl:variable name="label" as="xs:string" select="f:stated-label(.)"/>
      <xsl:variable name="words" as="xs:string" select="f:stated-words(.)"/>
      <xsl:if test="$label ne '' or $words ne ''"><p:row level="{$level}" label="{$label}"><xsl:value-of select="$words"/></p:row></xsl:if>
      <xsl:sequence select="f:stated-rows(p:stated, if ($label eq '' and $words eq '') then $level else $level + 1)"/>
    </xsl:for-each>
  </xsl:function>
</xsl:stylesheet>
