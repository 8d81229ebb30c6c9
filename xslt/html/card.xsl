<?xml version="1.0" encoding="UTF-8"?>
<!-- The facts about one text for the landing page of the collection. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:template name="m:card" as="element(p:card)">
    <xsl:param name="text" as="element(p:text)" required="yes"/>
    <p:card id="{$text/@id}" cites="{$text/@cites}" kind="{$text/@kind}" chapters="{count($text/chapter[@kind = 'pian'])}"
        citation="{fp:citation($text/meta)}" witnesses="{$text/meta/witness[not(@reported)]/@siglum}" collates="{$text/meta/witness[not(@reported)]/@id}" counted="{fp:counted($text/chapter)}">
      <xsl:for-each select="'characters', 'notes', 'entries'"><xsl:attribute name="{.}" select="sum($text/chapter/@*[local-name() = current()] ! xs:integer(.))"/></xsl:for-each>
      <xsl:copy-of select="$text/@xml:lang"/>
      <xsl:copy-of select="$text/meta/(title | subtitle | description | author | editor | publisher | date | licence)" copy-namespaces="no"/>
      <xsl:for-each select="$text/chapter">
        <p:chapter page="{@page}" title="{@title}" kind="{@kind}"/>
      </xsl:for-each>
      <!-- All names and titles that also have a form in Latin letters. -->
      <xsl:for-each select="distinct-values($text/(meta/(title | (witness, source)/@title), chapter/@title, meta/(speaker | witness | source)/@dynasty)[normalize-space()])">
        <p:name kind="title"><xsl:value-of select="."/></p:name>
      </xsl:for-each>
      <xsl:for-each select="distinct-values($text/meta/(speaker/@name, author, (witness | source)/author)[normalize-space()])">
        <p:name kind="person"><xsl:value-of select="."/></p:name>
      </xsl:for-each>
    </p:card>
  </xsl:template>
</xsl:stylesheet>
