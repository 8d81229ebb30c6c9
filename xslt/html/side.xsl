<?xml version="1.0" encoding="UTF-8"?>
<!-- The pages of an edition that are not chapters: their frame, and the links to them. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- A page beside the chapters, with a title of the interface (`name`). The template of mode m:side with that name writes
       its content, with the text as `text`. Context: the text. -->
  <xsl:template name="m:side" as="element()">
    <xsl:param name="name" as="xs:string" required="yes"/>
    <xsl:param name="title" as="xs:string" select="f:word($name)"/>
    <xsl:param name="scripts" as="xs:string*" select="()"/>
    <html>
      <xsl:call-template name="m:head">
        <xsl:with-param name="title" select="$title || ' · ' || string-join(meta/(title, subtitle), ' ')"/>
        <xsl:with-param name="class" select="'side'"/>
        <xsl:with-param name="meta" select="meta"/>
        <xsl:with-param name="scripts" select="$scripts"/>
      </xsl:call-template>
      <body class="side">
        <xsl:call-template name="m:top">
          <xsl:with-param name="here" select="$title"/><xsl:with-param name="in" select="string(@id)"/><xsl:with-param name="title" select="string(meta/title)"/>
        </xsl:call-template>
        <main id="text" tabindex="-1">
          <p class="printed"><xsl:value-of select="string-join(meta/(title, subtitle), ' ')"/></p>
          <h1><xsl:value-of select="$title"/></h1>
          <xsl:apply-templates select="$name" mode="m:side"><xsl:with-param name="text" select="." tunnel="yes"/></xsl:apply-templates>
        </main>
        <xsl:call-template name="m:colophon">
          <xsl:with-param name="licence" select="meta/licence"/>
          <xsl:with-param name="statements" select="f:statements(meta)"/>
          <xsl:with-param name="published" select="f:imprint(meta)"/>
          <xsl:with-param name="indexed" select="$v:indexed"/>
          <xsl:with-param name="citation" select="fp:citation(meta)"/>
        </xsl:call-template>
      </body>
    </html>
  </xsl:template>

  <xsl:mode name="m:side" on-no-match="fail" on-multiple-match="fail"/>

  <!-- The nearest citable element around an element of the text. -->
  <xsl:function name="f:place" as="element()">
    <xsl:param name="of" as="element()"/>
    <xsl:sequence select="$of/(ancestor-or-self::*[@id][self::note or self::unit or self::head or self::trailer or self::section or self::chapter])[last()]"/>
  </xsl:function>

  <!-- A link to the place of the context element, shown as its reference, with the number of occurrences there. -->
  <xsl:template name="m:place" as="element(a)" xpath-default-namespace="">
    <xsl:param name="times" as="xs:integer" select="1"/>
    <xsl:variable name="at" as="element()" select="f:place(.)"/>
    <a href="{ancestor::p:chapter/@page}.html#{$at/@id}"><xsl:value-of select="f:short(f:reference($at/@id)) || (if ($times gt 1) then ' ×' || $times else '')"/></a>
  </xsl:template>
</xsl:stylesheet>
