<?xml version="1.0" encoding="UTF-8"?>
<!-- The printed parts of a prepared text: layers, speakers, parts of the book. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:v="urn:jiaokan:variables"
    xmlns:e="urn:jiaokan:errors" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:select" on-no-match="shallow-copy"/>

  <!-- The text to print: the same element if everything is printed. -->
  <xsl:function name="f:selected" as="element(p:text)">
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:variable name="unknown" as="xs:string*" select="$v:speakers[not(. = $text/p:meta/p:speaker/@id)]"/>
    <xsl:choose>
      <xsl:when test="exists($unknown)">
        <xsl:sequence select="error(xs:QName('e:SPEAKER'), 'nobody here is called ' || $unknown[1] || '; who speaks: '
            || string-join($text/p:meta/p:speaker/@id, ', '))"/>
      </xsl:when>
      <xsl:when test="$v:layers eq 'all' and empty($v:speakers)"><xsl:sequence select="$text"/></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="$text" mode="m:select"/></xsl:otherwise>
    </xsl:choose>
  </xsl:function>

  <!-- Notes on the text; notes inside words belong to the words. -->
  <xsl:template match="p:passage/p:commentary" mode="m:select">
    <xsl:variable name="kept" as="element()*">
      <xsl:if test="$v:layers eq 'all'"><xsl:apply-templates select="*" mode="m:select"/></xsl:if>
    </xsl:variable>
    <xsl:if test="exists($kept/descendant-or-self::p:note)">
      <xsl:copy><xsl:sequence select="$kept"/></xsl:copy>
    </xsl:if>
  </xsl:template>

  <xsl:template match="p:commentary//p:note[parent::p:commentary or parent::p:notes or parent::p:app[@block]]" mode="m:select">
    <xsl:if test="empty($v:speakers) or @speaker = $v:speakers"><xsl:next-match/></xsl:if>
  </xsl:template>

  <xsl:template match="p:commentary/(p:notes | p:app)" mode="m:select">
    <xsl:variable name="kept" as="node()*"><xsl:apply-templates select="node()" mode="m:select"/></xsl:variable>
    <xsl:if test="exists($kept/descendant-or-self::p:note)">
      <xsl:copy><xsl:copy-of select="@*"/><xsl:sequence select="$kept"/></xsl:copy>
    </xsl:if>
  </xsl:template>

  <!-- The document to print, TEI or its prepared form, goes to the layout's mode m:book. -->
  <xsl:template match="/">
    <xsl:variable name="book" as="document-node()">
      <xsl:document><xsl:sequence select="f:selected((p:text, f:prepare(.)[not(current()/p:text)])[1])"/></xsl:document>
    </xsl:variable>
    <xsl:apply-templates select="$book/p:text" mode="m:book"/>
  </xsl:template>

  <!-- Whether a part of the book is printed. -->
  <xsl:function name="f:part" as="xs:boolean">
    <xsl:param name="part" as="xs:string"/>
    <xsl:sequence select="not($part = $v:omitted)"/>
  </xsl:function>

</xsl:stylesheet>
