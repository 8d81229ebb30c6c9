<?xml version="1.0" encoding="UTF-8"?>
<!-- The editor's punctuation and names in a page: real characters, because text is copied as shown; they are not part of
     the words that are counted. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:template match="mark" mode="m:inline" as="element()">
    <!-- Side by side an opening mark, or one before a closing mark, is half as wide (CSS Text 4, text-spacing-trim; Firefox has it not). -->
    <xsl:variable name="half" as="xs:boolean" select="if (contains('“‘《〈', @sign)) then exists(preceding-sibling::node()[1]/self::mark)
        else exists(following-sibling::node()[1]/self::mark[not(contains('“‘《〈', @sign))])"/>
    <i class="pc{' low'[current()/@cert eq 'low']}{' half'[$half]}"><xsl:value-of select="@sign"/></i>
  </xsl:template>

  <xsl:template match="name" mode="m:inline" as="element()">
    <span class="nm {@kind}"><xsl:apply-templates select="node()" mode="m:inline"/></span>
  </xsl:template>

  <!-- A mark of the source that the editor's marks replace: shown when these are hidden. -->
  <xsl:template match="set-aside" mode="m:inline" as="element()">
    <span class="aside"><xsl:apply-templates select="node()" mode="m:inline"/></span>
  </xsl:template>

  <!-- The display settings for the editor's punctuation and names, if there are any. Context: the chapter. -->
  <xsl:template name="m:layer-controls" as="element()*">
    <xsl:if test="exists((.//mark)[1])">
      <xsl:call-template name="m:choice">
        <xsl:with-param name="name" select="'points'"/>
        <xsl:with-param name="values" select="'full', 'judou', 'none'"/>
        <xsl:with-param name="legend" select="'punctuation'"/>
      </xsl:call-template>
    </xsl:if>
    <xsl:if test="exists((.//name)[1])">
      <xsl:call-template name="m:choice">
        <xsl:with-param name="name" select="'lines'"/>
        <xsl:with-param name="values" select="'off', 'on'"/>
        <xsl:with-param name="how" select="f:word('lines-how')"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
