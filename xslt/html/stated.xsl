<?xml version="1.0" encoding="UTF-8"?>
<!-- What the header of somebody else's file states: a section of the landing page. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions" xmlns:v="urn:jiaokan:variables"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:stated" on-no-match="fail"/>

  <!-- Context: p:meta. -->
  <xsl:template name="m:stated" as="element()">
    <section class="stated" aria-labelledby="stated">
      <h2 id="stated"><xsl:value-of select="f:word('stated')"/></h2>
      <dl lang="{(stated/@xml:lang, 'und')[1]}">
        <xsl:for-each select="f:stated-parts(.)">
          <dt><xsl:call-template name="mp:label"/></dt>
          <dd><xsl:if test="@xml:lang"><xsl:attribute name="lang" select="@xml:lang"/></xsl:if><xsl:call-template name="mp:stated"/></dd>
        </xsl:for-each>
      </dl>
    </section>
  </xsl:template>

  <!-- Context: a statement. A label of ours has the language of the page, the file's own that of the file. -->
  <xsl:template name="mp:label" as="node()*">
    <xsl:variable name="label" as="xs:string" select="f:stated-label(.)"/>
    <xsl:if test="$label"><span class="label"><xsl:if test="not(@label)"><xsl:attribute name="lang" select="if ($v:chinese) then 'zh' else $interface"/></xsl:if><xsl:value-of select="$label"/></span></xsl:if>
  </xsl:template>

  <!-- Context: a statement. Its words and what is in it. -->
  <xsl:template name="mp:stated" as="node()*">
    <xsl:apply-templates select="said" mode="m:stated"/>
    <xsl:apply-templates select="also" mode="m:stated"/>
    <xsl:variable name="inner" as="element()*" select="stated[.//(said | also)]"/>
    <xsl:if test="$inner"><ul><xsl:for-each select="$inner">
      <li><xsl:if test="@xml:lang"><xsl:attribute name="lang" select="@xml:lang"/></xsl:if><xsl:call-template name="mp:label"/><xsl:call-template name="mp:stated"/></li>
    </xsl:for-each></ul></xsl:if>
  </xsl:template>

  <xsl:template match="said" mode="m:stated" as="element()"><span class="said"><xsl:apply-templates select="node()" mode="m:stated"/></span></xsl:template>
  <xsl:template match="also" mode="m:stated" as="element()"><small><xsl:choose>
    <xsl:when test="f:safe(string(@href))"><a href="{@href}"><xsl:value-of select="."/></a></xsl:when>
    <xsl:otherwise><xsl:value-of select="."/></xsl:otherwise>
  </xsl:choose></small></xsl:template>
  <xsl:template match="link" mode="m:stated" as="element()"><xsl:choose>
    <xsl:when test="f:safe(@target)"><a href="{@target}"><xsl:value-of select="."/></a></xsl:when>
    <xsl:otherwise><span><xsl:value-of select="."/></span></xsl:otherwise>
  </xsl:choose></xsl:template>
  <xsl:template match="text()" mode="m:stated" as="node()*"><xsl:sequence select="f:shown(.)"/></xsl:template>
</xsl:stylesheet>
