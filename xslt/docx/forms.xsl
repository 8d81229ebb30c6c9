<?xml version="1.0" encoding="UTF-8"?>
<!-- What paragraphs and words are in somebody else's file, by what Pandoc knows: tables, lists, code, italic; else by a style. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns="http://www.w3.org/1999/xhtml" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:mp="urn:jiaokan:private"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:variable name="mp:styles" as="map(xs:string, xs:string)" select="map{'speaker': '说话人', 'stage': '舞台提示', 'signed': '落款',
      'dateline': '落款', 'titlepage': '居中', 'byline': '居中', 'quote': '引文', 'argument': '引文', 'epigraph': '引文', 'sense': '引文'}"/>

  <!-- The style of words with a form of their own; empty for others. -->
  <xsl:function name="mp:style-of" as="xs:string?">
    <xsl:param name="words" as="element()"/>
    <xsl:sequence select="$words/@form ! $mp:styles(tokenize(.)[1])"/>
  </xsl:function>

  <!-- A table, at its first cell. -->
  <xsl:template match="p:passage[f:is-cell(.)]" mode="m:block" priority="2">
    <xsl:if test="not(preceding-sibling::*[1][f:is-cell(.)])">
      <xsl:variable name="end" as="element()?" select="following-sibling::*[not(f:is-cell(.))][1]"/>
      <table>
        <xsl:for-each-group select="., following-sibling::p:passage[empty($end) or . &lt;&lt; $end]" group-starting-with="*[*[1]/@form = 'row']">
          <tr><xsl:for-each select="current-group()"><td><xsl:apply-templates select="* except p:commentary" mode="m:inline"/></td></xsl:for-each></tr>
        </xsl:for-each-group>
      </table>
    </xsl:if>
  </xsl:template>

  <xsl:template match="p:passage[*[1]/@form ! tokenize(.) = ('item', 'cast')]" mode="m:block" priority="1">
    <ul><li><xsl:apply-templates select="* except p:commentary" mode="m:inline"/></li></ul>
    <xsl:apply-templates select="p:commentary/*" mode="m:note"/>
  </xsl:template>

  <xsl:template match="p:passage[*[1]/@form = 'code']" mode="m:block" priority="1">
    <pre><xsl:value-of select="(*//p:line, *[not(.//p:line)]) ! translate(string(.), '　', ' ')" separator="&#10;"/></pre>
  </xsl:template>

  <xsl:template match="p:span[@role = 'hi']" mode="m:inline" priority="1">
    <xsl:sequence select="mp:as-looks(tokenize(@look), mp:inner(.))"/>
  </xsl:template>

  <xsl:function name="mp:inner" as="node()*">
    <xsl:param name="span" as="element()"/>
    <xsl:apply-templates select="$span/node()" mode="m:inline"/>
  </xsl:function>

  <xsl:variable name="mp:looks" as="map(xs:string, xs:string)" select="map{'italic': 'em', 'hi': 'em', 'stage': 'em', 'bold': 'strong',
      'super': 'sup', 'sub': 'sub', 'underline': 'u', 'strike': 's', 'code': 'code'}"/>

  <xsl:function name="mp:as-looks" as="node()*">
    <xsl:param name="looks" as="xs:string*"/>
    <xsl:param name="words" as="node()*"/>
    <xsl:variable name="name" as="xs:string?" select="$mp:looks($looks[1])"/>
    <xsl:choose>
      <xsl:when test="empty($looks)"><xsl:sequence select="$words"/></xsl:when>
      <xsl:when test="exists($name)"><xsl:element name="{$name}"><xsl:sequence select="mp:as-looks(tail($looks), $words)"/></xsl:element></xsl:when>
      <xsl:otherwise><xsl:sequence select="mp:as-looks(tail($looks), $words)"/></xsl:otherwise>
    </xsl:choose>
  </xsl:function>

</xsl:stylesheet>
