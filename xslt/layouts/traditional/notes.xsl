<?xml version="1.0" encoding="UTF-8"?>
<!-- The commentary after base text, in double lines (mode m:note). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:note" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="p:commentary | p:notes" mode="m:note">
    <xsl:apply-templates select="*" mode="m:note"/>
  </xsl:template>

  <!-- A note above the text 眉批: in the margin over the words before it. Context: a note. -->
  <xsl:template match="p:note[@place = 'top']" mode="m:note" priority="1"><xsl:call-template name="m:above"/></xsl:template>

  <xsl:template name="m:above">
    <xsl:value-of select="f:line('top')"/>
    <xsl:if test="@speaker"><xsl:value-of select="f:line(('named', 'speakers', @speaker))"/></xsl:if>
    <xsl:if test="@speaker and not(node()[1]/descendant-or-self::p:span[1][@role = 'attribution'])">
      <xsl:value-of select="f:line(('small', root(.)/p:text/p:meta/p:speaker[@id = current()/@speaker]/@label || '　'))"/>
    </xsl:if>
    <!-- (眉批： without a name is left out: its place shows it.) -->
    <xsl:apply-templates select="node() except (if (@speaker) then () else node()[1]/self::p:span[@role = 'attribution'])" mode="m:inline">
      <xsl:with-param name="size" select="'small'" tunnel="yes"/>
    </xsl:apply-templates>
    <xsl:value-of select="f:line('text')"/>
  </xsl:template>

  <!-- An empty cell between notes; before one whose words do not say who speaks, his label, unless the
       whole text is his. -->
  <xsl:template match="p:note" mode="m:note">
    <xsl:if test="ancestor::p:commentary//p:note[. &lt;&lt; current()][parent::p:commentary or parent::p:notes or parent::p:app][not(@place = 'top')]">
      <xsl:value-of select="f:line(('small', '　'))"/>
    </xsl:if>
    <xsl:if test="@speaker"><xsl:value-of select="f:line(('named', 'speakers', @speaker))"/></xsl:if>
    <xsl:if test="@label ne '' and not(@name = root(.)/p:text/p:meta/p:author[last() eq 1]) and not(node()[1]/descendant-or-self::p:span[1][@role = 'attribution'])">
      <xsl:value-of select="f:line(('label', @label))"/>
    </xsl:if>
    <xsl:apply-templates select="node()" mode="m:inline">
      <xsl:with-param name="size" select="'small'" tunnel="yes"/>
    </xsl:apply-templates>
  </xsl:template>

  <!-- Notes that only some witnesses have: the number follows the last of them. -->
  <xsl:template match="p:app" mode="m:note">
    <xsl:apply-templates select="*" mode="m:note"/>
    <xsl:call-template name="m:mark"/>
  </xsl:template>

  <xsl:template match="text()[not(normalize-space())]" mode="m:note"/>

</xsl:stylesheet>
