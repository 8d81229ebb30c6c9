<?xml version="1.0" encoding="UTF-8"?>
<!-- Names and addresses in pages. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- A canonical reference without its work: yili:6.1.3 → 6.1.3. -->
  <xsl:function name="f:short" as="xs:string" visibility="public">
    <xsl:param name="ref" as="xs:string"/>
    <xsl:sequence select="if (contains($ref, ':')) then substring-after($ref, ':') else $ref"/>
  </xsl:function>

  <!-- Whether the reference of an element differs from its id. -->
  <xsl:function name="f:cited-otherwise" as="xs:boolean" visibility="public">
    <xsl:param name="element" as="element()"/>
    <xsl:sequence select="translate($element/@ref, ':', '.') ne $element/@id"/>
  </xsl:function>

  <!-- The name of a division: its title, else its reference. -->
  <xsl:function name="f:called" as="xs:string" visibility="public">
    <xsl:param name="division" as="element()"/>
    <xsl:sequence select="string(($division/@title[. ne ''], f:short($division/@ref))[1])"/>
  </xsl:function>

  <!-- A link to an id on some page, relative to a page. -->
  <xsl:function name="f:href" as="xs:string" visibility="public">
    <xsl:param name="page" as="xs:string?"/>
    <xsl:param name="id" as="xs:string"/>
    <xsl:param name="here" as="xs:string"/>
    <xsl:sequence select="(if (string($page) = ('', $here)) then '' else encode-for-uri($page) || '.html') || '#' || $id"/>
  </xsl:function>

  <!-- An address from a TEI file, if it leads to a page; not one that a browser would execute. -->
  <xsl:function name="f:safe" as="xs:string?" visibility="public">
    <xsl:param name="address" as="xs:string"/>
    <xsl:sequence select="$address[matches(., '^(https?://|mailto:)', 'i')]"/>
  </xsl:function>

  <!-- Words in which runs of letters from right to left are isolated: what is between two of them keeps its place. -->
  <xsl:function name="f:isolated" as="node()*">
    <xsl:param name="words" as="xs:string"/>
    <xsl:variable name="letter" as="xs:string" select="'[&#x590;-&#x8FF;&#xFB1D;-&#xFDFF;&#xFE70;-&#xFEFC;]'"/>
    <xsl:for-each select="analyze-string($words, $letter || '+( ?' || $letter || '+)*[0-9]*')/*">
      <xsl:choose>
        <xsl:when test="self::*:match"><bdi><xsl:value-of select="."/></bdi></xsl:when>
        <xsl:otherwise><xsl:value-of select="."/></xsl:otherwise>
      </xsl:choose>
    </xsl:for-each>
  </xsl:function>
</xsl:stylesheet>
