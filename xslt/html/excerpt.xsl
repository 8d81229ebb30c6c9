<?xml version="1.0" encoding="UTF-8"?>
<!-- The TEI of one chapter as a download: the header and the chapter, unchanged. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:tei="http://www.tei-c.org/ns/1.0" exclude-result-prefixes="#all">

  <xsl:mode name="mp:excerpt" on-no-match="shallow-copy" on-multiple-match="fail"/>

  <!-- The chapters with their own file. Front matter alone is not a text: TEI requires a body. -->
  <xsl:function name="f:alone" as="element(tei:div)*">
    <xsl:param name="document" as="document-node()"/>
    <xsl:sequence select="$document/tei:TEI/tei:text/tei:body/tei:div"/>
  </xsl:function>

  <!-- Context: the chapter. -->
  <xsl:template name="m:excerpt" as="element(tei:TEI)">
    <xsl:apply-templates select="root()/tei:TEI" mode="mp:excerpt">
      <xsl:with-param name="chapter" select="." tunnel="yes"/>
      <xsl:with-param name="ids" tunnel="yes" select="map:merge((root()/tei:TEI/(@xml:id | tei:teiHeader//@xml:id), .//@xml:id) ! map{string(.): true()})"
          xmlns:map="http://www.w3.org/2005/xpath-functions/map"/>
    </xsl:apply-templates>
  </xsl:template>

  <!-- Its title follows those of the whole text. -->
  <xsl:template match="tei:titleStmt/tei:title[not(following-sibling::tei:title)]" mode="mp:excerpt" as="node()+">
    <xsl:param name="chapter" as="element(tei:div)" tunnel="yes" required="yes"/>
    <xsl:copy-of select="."/>
    <xsl:text>&#10;</xsl:text>
    <title type="part" xmlns="http://www.tei-c.org/ns/1.0">
      <xsl:copy-of select="/tei:TEI/@xml:lang"/>
      <xsl:value-of select="f:title($chapter)"/>
    </title>
  </xsl:template>

  <xsl:template match="tei:text" mode="mp:excerpt" as="element(tei:text)">
    <xsl:param name="chapter" as="element(tei:div)" tunnel="yes" required="yes"/>
    <xsl:param name="ids" as="map(xs:string, xs:boolean)" tunnel="yes" required="yes"/>
    <xsl:copy copy-namespaces="no">
      <xsl:copy-of select="@*"/>
      <body xmlns="http://www.tei-c.org/ns/1.0">
        <xsl:choose>
          <xsl:when test="exists($chapter//@*[contains(., '#')][fp:elsewhere(., $ids) != '']) or exists($chapter//tei:pc[@resp][@n])"><xsl:apply-templates select="$chapter" mode="mp:excerpt"/></xsl:when>
          <xsl:otherwise><xsl:copy-of select="$chapter"/></xsl:otherwise>
        </xsl:choose>
      </body>
    </xsl:copy>
  </xsl:template>

  <!-- A pointer to another chapter leads into the file of the whole text: whole:yili.5.1.1. -->
  <!-- The editor's marks are in attributes while a text is prepared. -->
  <xsl:template match="tei:pc[@resp][@n]" mode="mp:excerpt" as="element(tei:pc)">
    <xsl:copy>
      <xsl:apply-templates select="@* except @n" mode="mp:excerpt"/>
      <xsl:value-of select="@n"/>
    </xsl:copy>
  </xsl:template>

  <xsl:template match="@*[contains(., '#')][not(parent::tei:prefixDef)]" mode="mp:excerpt" as="attribute()">
    <xsl:param name="ids" as="map(xs:string, xs:boolean)" tunnel="yes" required="yes"/>
    <xsl:variable name="elsewhere" as="xs:string*" select="fp:elsewhere(., $ids)"/>
    <xsl:attribute name="{name()}" namespace="{namespace-uri()}" select="tokenize(.) ! (if (. = $elsewhere) then 'whole:' || substring(., 2) else .)"/>
  </xsl:template>

  <xsl:template match="tei:encodingDesc" mode="mp:excerpt" as="element(tei:encodingDesc)">
    <xsl:copy copy-namespaces="no">
      <xsl:apply-templates select="@*, node()" mode="#current"/>
      <xsl:if test="not(tei:listPrefixDef)"><listPrefixDef xmlns="http://www.tei-c.org/ns/1.0"><xsl:call-template name="mp:prefix"/></listPrefixDef></xsl:if>
    </xsl:copy>
  </xsl:template>

  <xsl:template match="tei:listPrefixDef" mode="mp:excerpt" as="element(tei:listPrefixDef)">
    <xsl:copy copy-namespaces="no">
      <xsl:copy-of select="@*"/>
      <xsl:apply-templates select="node()" mode="#current"/>
      <xsl:call-template name="mp:prefix"/>
    </xsl:copy>
  </xsl:template>

  <!-- A pointer into a witness's file leads there if the file exists; else it only names the place. -->
  <xsl:template match="tei:prefixDef[@ident = 'w']" mode="mp:excerpt" as="element(tei:prefixDef)+">
    <xsl:variable name="there" as="xs:string*" select="$v:beside"/>
    <xsl:if test="exists($there)">
      <xsl:copy copy-namespaces="no">
        <xsl:copy-of select="@ident"/>
        <xsl:attribute name="matchPattern" select="'(' || string-join($there, '|') || ')\.(.+)'"/>
        <xsl:attribute name="replacementPattern" select="$v:files || '$1.xml#$1.$2'"/>
        <xsl:copy-of select="node()"/>
      </xsl:copy>
    </xsl:if>
    <xsl:if test="exists($v:lacking) or empty($there)">
      <prefixDef ident="w" matchPattern="{@matchPattern}" replacementPattern="urn:jiaokan:$1.$2" xmlns="http://www.tei-c.org/ns/1.0">
        <p xml:lang="en">The element of this name in the witness's own file, which does not come with this one.</p>
      </prefixDef>
    </xsl:if>
  </xsl:template>

  <!-- The files of other texts are in the folder of the whole text's file. -->
  <xsl:template match="tei:prefixDef[@ident = 'text']/@replacementPattern" mode="mp:excerpt" as="attribute()">
    <xsl:attribute name="replacementPattern" select="$v:files || replace(., '^.*/', '')"/>
  </xsl:template>

  <xsl:template name="mp:prefix" as="element(tei:prefixDef)">
    <prefixDef ident="whole" matchPattern="(.+)" replacementPattern="{$v:tei}#$1" xmlns="http://www.tei-c.org/ns/1.0">
      <p xml:lang="en">What stands in another chapter is in the file of the whole.</p>
    </prefixDef>
  </xsl:template>

  <!-- The pointers of an attribute that point to none of the ids. -->
  <xsl:function name="fp:elsewhere" as="xs:string*">
    <xsl:param name="pointers" as="attribute()"/>
    <xsl:param name="ids" as="map(xs:string, xs:boolean)"/>
    <xsl:sequence select="tokenize($pointers)[starts-with(., '#')]
        [not($ids(if (contains(., '(')) then substring-before(substring-after(., '('), ',') else substring(., 2)))]"/>
  </xsl:function>
</xsl:stylesheet>
