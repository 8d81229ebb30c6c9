<?xml version="1.0" encoding="UTF-8"?>
<!--
Entry: TEI (or its prepared form) → a book of parts (../modern/main.xsl), of which those of the kinds front, chapter and back
hold the flat list from which outputs/print/engines lays out pages. One JSON array a line; its first string says what it is:
  ["leaf"]  what follows begins on a new leaf            ["half"]  … on a new half-leaf    ["skip"]  … after an empty column
  ["division", level, id, reference, title]  begins here ["juan", name]  the scroll from here on
  ["column", kind, first, rest]  a new column, with so many empty cells at its head, and at those of the following ones;
        kind head: not alone at the end of a half-leaf; end: words at the foot of the column; index: an entry of an index, in
        the column of the one before it if there is room; group: the title above some entries
  ["base" | "small" | "wrong" | "small-wrong" | "lost" | "small-lost" | "title" | "entry" | "label" | "sign" …, words]
        one cell a character, except a label, which is one cell; base, wrong, lost, title take the whole column, the
        others half of it, in pairs
  ["before", sign] ["after", sign]  the editor's bracket before the next cell, after the last one
  ["mark", sign]  the number of an entry, beside the last cell
  ["top"]  what follows, up to ["text"], stands in the margin above the last cell 眉批
  ["named", index, key]  the next cell names it, or is the words of that speaker, for the indexes
  ["contents"], ["leaves", index, key]  filled by the engine, which knows the leaves of all
-->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="../../prepare/main.xsl"/>
  <xsl:include href="../../lib/printed.xsl"/>
  <xsl:include href="../../lib/stated.xsl"/>
  <xsl:include href="../../lib/selected.xsl"/>
  <xsl:include href="../../lib/indexes.xsl"/>
  <xsl:include href="../../typst/escape.xsl"/>
  <xsl:include href="../../typst/cover.xsl"/>
  <xsl:include href="front.xsl"/>
  <xsl:include href="text.xsl"/>
  <xsl:include href="notes.xsl"/>
  <xsl:include href="inline.xsl"/>
  <xsl:include href="apparatus.xsl"/>

  <xsl:output method="xml" encoding="UTF-8" omit-xml-declaration="yes"/>

  <!-- The Typst template, and the function in it that sets the book. -->
  <xsl:variable name="v:template" as="xs:string" select="'woodblock'"/>

  <xsl:mode name="m:book" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="p:text" mode="m:book">
    <b:book template="{$v:template}">
      <xsl:for-each select="p:meta">
        <xsl:call-template name="m:cover"><xsl:with-param name="layout" select="$v:template"/></xsl:call-template>
        <b:part kind="setup" xsl:expand-text="yes">#let leaf = leaf.with({f:typst(p:title)})&#10;</b:part>
        <b:part kind="front"><xsl:apply-templates select="." mode="m:front"/></b:part>
      </xsl:for-each>
      <xsl:apply-templates select="p:chapter" mode="m:block"/>
      <xsl:for-each select="p:meta">
        <b:part kind="back"><xsl:apply-templates select="." mode="m:back"/></b:part>
        <xsl:call-template name="m:colophon"/>
      </xsl:for-each>
    </b:book>
  </xsl:template>

  <!-- One line of the list. (A Typst string is a JSON string: both escape the same characters alike.) -->
  <xsl:function name="f:line" as="xs:string">
    <xsl:param name="words" as="xs:string*"/>
    <xsl:sequence select="'[' || string-join($words ! f:typst(.), ',') || ']&#10;'"/>
  </xsl:function>

</xsl:stylesheet>
