<?xml version="1.0" encoding="UTF-8"?>
<!--
Entry: TEI (or its prepared form) → a book of parts, whose text in this order is one Typst document. It holds words, references
and calls of edition.typ, no sizes. By their kind, the reference of a chapter and the ids of its divisions, outputs/print/volumes.py
cuts a book into volumes.
Inline content is Typst code: expressions, each followed by a semicolon, in braces.
-->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="../../prepare/main.xsl"/>
  <xsl:include href="../../lib/printed.xsl"/>
  <xsl:include href="../../lib/stated.xsl"/>
  <xsl:include href="../../lib/selected.xsl"/>
  <xsl:include href="../../lib/sigla.xsl"/>
  <xsl:include href="../../lib/indexes.xsl"/>
  <xsl:include href="../../typst/escape.xsl"/>
  <xsl:include href="../../typst/cover.xsl"/>
  <xsl:include href="../../typst/front.xsl"/>
  <xsl:include href="../../typst/text.xsl"/>
  <xsl:include href="../../typst/forms.xsl"/>
  <xsl:include href="../../typst/letters.xsl"/>
  <xsl:include href="../../typst/notes.xsl"/>
  <xsl:include href="../../typst/inline.xsl"/>
  <xsl:include href="../../typst/apparatus.xsl"/>
  <xsl:include href="../../typst/testimonia.xsl"/>
  <xsl:include href="../../typst/back.xsl"/>

  <xsl:output method="xml" encoding="UTF-8" omit-xml-declaration="yes"/>

  <xsl:mode name="m:book" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="p:text" mode="m:book">
    <b:book template="edition">
    <xsl:variable name="front" as="element(p:part)*"><xsl:apply-templates select="p:meta" mode="m:front"/></xsl:variable>
    <xsl:variable name="back" as="element(p:part)*"><xsl:apply-templates select="p:meta" mode="m:back"/></xsl:variable>
    <xsl:for-each select="p:meta"><xsl:call-template name="m:cover"/></xsl:for-each>
    <xsl:apply-templates select="$front" mode="m:book"/>
    <xsl:call-template name="m:contents">
      <xsl:with-param name="parts" select="$front"/>
      <xsl:with-param name="back" select="$back"/>
    </xsl:call-template>
    <b:part kind="turn">#show: main-matter&#10;</b:part>
    <xsl:apply-templates select="p:chapter" mode="m:block"/>
    <b:part kind="turn">#back-matter()&#10;</b:part>
    <xsl:apply-templates select="$back" mode="m:book"/>
    <xsl:for-each select="p:meta"><xsl:call-template name="m:colophon"/></xsl:for-each>
    </b:book>
  </xsl:template>

</xsl:stylesheet>
