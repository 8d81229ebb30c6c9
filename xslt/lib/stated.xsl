<?xml version="1.0" encoding="UTF-8"?>
<!-- What the header of somebody else's file states, as rows for pages and print. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Elements of a header whose words need no label. -->
  <xsl:variable name="fp:plain" as="xs:string+" select="'fileDesc', 'label', 'term', 'persName', 'placeName', 'orgName', 'name', 'head', 'p', 'ab', 'list',
      'item', 'desc', 'div', 'l', 'lg', 'table', 'row', 'cell', 'quote', 'cit', 'q', 'hi'"/>

  <!-- The label of a statement: the file's own, else that of its element; a general one, with its name, for an unknown element. -->
  <xsl:function name="f:stated-label" as="xs:string" visibility="public">
    <xsl:param name="stated" as="element(p:stated)"/>
    <xsl:variable name="key" as="xs:string" select="'header-' || $stated/@name"/>
    <xsl:sequence select="
        if ($stated/@label) then string($stated/@label)
        else if ($stated/@name = $fp:plain) then ''
        else if (map:contains($v:words, $key)) then f:word($key)
        else f:word('statement') || ' (' || $stated/@name || ')'"/>
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

  <!-- Sender and receiver of a letter, with place and date, as its header states them: shown on the page of the letter. -->
  <xsl:function name="f:correspondence" as="xs:string*" visibility="public">
    <xsl:param name="chapter" as="element(p:chapter)"/>
    <xsl:variable name="actions" as="element(p:stated)*" select="$chapter/../p:meta//p:stated[@name = 'correspAction'][ancestor::p:stated[@name = 'correspDesc']]"/>
    <xsl:for-each select="if ($chapter/preceding-sibling::p:chapter) then () else $actions">
      <xsl:variable name="key" as="xs:string*" select="p:also ! ('letter-' || .)[map:contains($v:words, .)]"/>
      <xsl:variable name="words" as="xs:string" select="string-join((.[p:said] ! f:stated-words(.), .//p:stated ! normalize-space(string-join(p:said, ' '))[.]), ', ')"/>
      <xsl:if test="$words ne ''"><xsl:sequence select="string-join((f:word(($key, 'header-correspAction')[1]), $words), ': ')"/></xsl:if>
    </xsl:for-each>
  </xsl:function>
</xsl:stylesheet>
