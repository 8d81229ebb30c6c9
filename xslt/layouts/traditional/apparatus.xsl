<?xml version="1.0" encoding="UTF-8"?>
<!-- 校勘记 at the end of a chapter, in double lines; numbers beside the words (mode m:entry). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:f="urn:jiaokan:functions" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:entry" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template name="m:mark">
    <xsl:if test="f:printed(.)"><xsl:value-of select="f:line(('mark', f:sign(.), string(@id)))"/></xsl:if>
  </xsl:template>

  <!-- By which an editor's note and its number find each other: its division and its number there. -->
  <xsl:function name="f:remark-id" as="xs:string">
    <xsl:param name="emendation" as="element()"/>
    <xsl:sequence select="$emendation/ancestor::*[self::p:section or self::p:chapter][1]/@id || f:remark-sign($emendation)"/>
  </xsl:function>

  <xsl:template match="p:move" mode="m:inline"/>
  <xsl:template match="p:move[@said]" mode="m:inline"><xsl:value-of select="f:line(('mark', '※', @id))"/></xsl:template>

  <!-- Context: a division. 校勘记 and the editor's notes at its end, if that is where they belong. -->
  <xsl:template name="m:apparatus">
    <xsl:variable name="within" as="element()*" select="
        if ($v:apparatus eq 'section') then * except p:section else if (self::p:chapter) then * else ()"/>
    <xsl:call-template name="mp:series">
      <xsl:with-param name="title" select="f:word('book-apparatus')"/>
      <xsl:with-param name="collation" select="string(@collation)"/>
      <xsl:with-param name="marked" select="$within/descendant-or-self::*[self::p:app[f:printed(.)] or self::p:move[@said]]"/>
    </xsl:call-template>
    <xsl:call-template name="mp:series">
      <xsl:with-param name="title" select="f:word('book-corrections')"/>
      <xsl:with-param name="marked" select="$within/descendant-or-self::*[self::p:corrected or self::p:supplied][f:explained(.)]"/>
    </xsl:call-template>
  </xsl:template>

  <!-- The entries of each division under its title, in the order of their numbers. -->
  <xsl:template name="mp:series">
    <xsl:param name="title" as="xs:string" required="yes"/>
    <xsl:param name="marked" as="element()*" required="yes"/>
    <xsl:param name="collation" as="xs:string" select="''"/>
    <xsl:if test="exists($marked)">
      <xsl:value-of select="if ($v:apparatus eq 'section') then (f:column('subhead', 1, 1), f:line(('words', $title)))
          else (f:line('skip'), f:column('head', 1, 1), f:line(('title', $title)))" separator=""/>
      <xsl:if test="$collation"><xsl:value-of select="f:column('entries', 2, 3), f:line(('entry', $collation))" separator=""/></xsl:if>
      <xsl:for-each-group select="$marked" group-adjacent="generate-id(ancestor::*[self::p:section or self::p:chapter][1])">
        <xsl:variable name="division" as="element()" select="ancestor::*[self::p:section or self::p:chapter][1]"/>
        <xsl:if test="$v:apparatus ne 'section'">
          <xsl:value-of select="f:column('head', 2, 3), f:line(('label-wide', $division/@title))" separator=""/>
        </xsl:if>
        <xsl:for-each select="current-group()">
          <xsl:sort select="accumulator-after('fp:running')" data-type="number"/>
          <xsl:value-of select="f:column('entries', 2, 3)"/>
          <xsl:apply-templates select="." mode="m:entry"/>
        </xsl:for-each>
      </xsl:for-each-group>
    </xsl:if>
  </xsl:template>

  <xsl:template match="p:app" mode="m:entry">
    <xsl:value-of select="f:line(('sign', f:sign(.), string(@id)))"/>
    <xsl:apply-templates select="f:entry(.)" mode="m:entry"/>
  </xsl:template>

  <xsl:template match="p:entry" mode="m:entry">
    <xsl:apply-templates select="p:sentence, p:comment" mode="m:entry"/>
    <xsl:if test="exists(f:within(.))"><xsl:value-of select="f:line(('entry', f:word('book-within-entry')))"/></xsl:if>
    <xsl:apply-templates select="f:within(.)" mode="m:entry"/>
  </xsl:template>

  <xsl:template match="p:corrected | p:supplied" mode="m:entry">
    <xsl:value-of select="f:line(('sign', f:remark-sign(.), f:remark-id(.))), f:line(('entry', f:remark(.)))" separator=""/>
  </xsl:template>

  <xsl:template match="p:sentence | p:comment" mode="m:entry"><xsl:value-of select="f:line(('entry', f:upright(.)))"/></xsl:template>

  <!-- References are upright in a column: 7.42.1 is 七·四二·一. -->
  <xsl:function name="f:upright" as="xs:string">
    <xsl:param name="words" as="xs:string"/>
    <xsl:variable name="pieces" as="xs:string*">
      <xsl:analyze-string select="$words" regex="[0-9]+(\.[0-9]+)+(\.n[0-9]+)?">
        <xsl:matching-substring><xsl:sequence select="translate(., '0123456789.n', '〇一二三四五六七八九·注')"/></xsl:matching-substring>
        <xsl:non-matching-substring><xsl:sequence select="."/></xsl:non-matching-substring>
      </xsl:analyze-string>
    </xsl:variable>
    <xsl:sequence select="string-join($pieces)"/>
  </xsl:function>

  <xsl:template match="p:move" mode="m:entry">
    <xsl:value-of select="f:line(('sign', '※', @id)), f:line(('entry', f:upright(@said)))" separator=""/>
  </xsl:template>

</xsl:stylesheet>
