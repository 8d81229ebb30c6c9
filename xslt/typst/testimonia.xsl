<?xml version="1.0" encoding="UTF-8"?>
<!-- At the end of a chapter the places where comments elsewhere quote it, in its order: its unit, the words, who quotes them where. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:key name="fp:quoted-at" match="p:at" use="@id"/>

  <!-- Context: a chapter. -->
  <xsl:template name="m:testimonia">
    <xsl:variable name="units" as="element()*" select="if ($v:quoted) then descendant::*[self::p:unit or self::p:note][@id][key('fp:quoted-at', @id, $v:quoted)] else ()"/>
    <xsl:if test="exists($units)">
      <xsl:text expand-text="yes">#endnotes({f:typst(f:word('book-testimonia'))}, (("", (</xsl:text>
      <xsl:for-each select="$units">
        <b:run kind="entry" place="{f:margin(@ref)}">
        <xsl:text expand-text="yes">({f:typst(f:margin(@ref))}, {{</xsl:text>
        <xsl:variable name="chapter" as="xs:string" select="string(ancestor::p:chapter/@id)"/>
        <xsl:for-each select="key('fp:quoted-at', @id, $v:quoted)/p:by">
          <xsl:if test="position() gt 1"><xsl:sequence select="f:set-words(f:word('book-semicolon'))"/></xsl:if>
          <xsl:sequence select="f:set-words('「')"/>
          <xsl:text>quoted(</xsl:text>
          <xsl:sequence select="f:literal(string-join(text() | p:d))"/>
          <xsl:text>);</xsl:text>
          <xsl:sequence select="f:set-words('」'), f:set-words(string-join((@who[. ne ''], fp:where(., $chapter)), ' '))"/>
        </xsl:for-each>
        <xsl:text>}),</xsl:text>
        </b:run>
      </xsl:for-each>
      <xsl:text>)),))&#10;</xsl:text>
    </xsl:if>
  </xsl:template>

  <!-- The translations of the units of a division, after it: a list for each language and who made it. Context: the division. -->
  <xsl:template name="m:translations">
    <xsl:variable name="units" as="xs:string*" select="(p:passage | p:section[f:is-line(.) or f:runs-on(.)]/p:passage)/p:unit/@id"/>
    <xsl:variable name="facing" as="element(p:of)*" select="(p:passage | p:section[f:is-line(.) or f:runs-on(.)]/p:passage)/f:facing(p:unit)"/>
    <xsl:for-each-group select="(ancestor::p:text/p:translation/p:of[(if (f:spans-divisions(.)) then tokenize(@through)[last()] else @id) = $units]) except $facing" group-by="generate-id(..)">
      <xsl:text expand-text="yes">#endnotes({f:typst(string-join((../@name, ../@basis), '　'))}, (("", (</xsl:text>
      <xsl:for-each select="current-group()">
        <b:run kind="entry" place="{f:margin(@ref)}">
          <xsl:text expand-text="yes">({f:typst(f:margin(@ref))}, translation({f:typst(substring(../@xml:lang, 1, 2))}, </xsl:text>
          <xsl:sequence select="f:literal(.)"/>
          <xsl:text>)),</xsl:text>
        </b:run>
      </xsl:for-each>
      <xsl:text>)),))&#10;</xsl:text>
    </xsl:for-each-group>
  </xsl:template>

  <!-- The reference of a comment's unit; of another text with its name. -->
  <xsl:function name="fp:where" as="xs:string">
    <xsl:param name="by" as="element(p:by)"/>
    <xsl:param name="chapter" as="xs:string"/>
    <xsl:variable name="unit" as="xs:string" select="replace($by/@id, '\.n[0-9].*$', '')"/>
    <xsl:sequence select="if ($by/@text eq substring-before($chapter, '.')) then f:margin(f:reference($unit)) else replace($unit, '^([^.]+)\.', '$1:')"/>
  </xsl:function>
</xsl:stylesheet>
