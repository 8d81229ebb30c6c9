<?xml version="1.0" encoding="UTF-8"?>
<!-- Inline content of the traditional page (mode m:inline). `size`: base, or small inside a note. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:inline" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="text()" mode="m:inline">
    <xsl:param name="size" as="xs:string" select="'base'" tunnel="yes"/>
    <xsl:value-of select="f:line(($size, .))"/>
  </xsl:template>

  <xsl:template match="p:unit | p:head | p:trailer | p:prose | p:attribution | p:accidental" mode="m:inline">
    <xsl:apply-templates select="node() except p:other" mode="m:inline"/>
  </xsl:template>

  <!-- Lines of verse share a column, a cell apart; one after a gloss begins a column. -->
  <xsl:template match="p:line" mode="m:inline">
    <xsl:variable name="before" as="element(p:line)?" select="preceding-sibling::p:line[1]"/>
    <xsl:value-of select="if ($before/node()[last()]/self::p:note) then f:column('verse') else f:line(('base', '　'))[$before]"/>
    <xsl:apply-templates select="node()" mode="m:inline"/>
  </xsl:template>

  <xsl:template match="p:app" mode="m:inline">
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:call-template name="m:mark"/>
  </xsl:template>

  <xsl:template match="p:span" mode="m:inline">
    <xsl:call-template name="m:named"/>
    <xsl:call-template name="fp:bracketed"><xsl:with-param name="brackets" select="string(@rend)"/></xsl:call-template>
  </xsl:template>

  <!-- The editor's punctuation is beside the characters; names have no line on this page. -->
  <xsl:template match="p:mark" mode="m:inline">
    <xsl:param name="size" as="xs:string" select="'base'" tunnel="yes"/>
    <xsl:if test="f:mark(., $points)"><xsl:value-of select="f:line(($size, f:mark(., $points)))"/></xsl:if>
  </xsl:template>

  <xsl:template match="p:name" mode="m:inline">
    <xsl:call-template name="m:named"/>
    <xsl:apply-templates select="node()" mode="m:inline"/>
  </xsl:template>

  <!-- What the next cells name, for the indexes. -->
  <xsl:template name="m:named">
    <xsl:variable name="index" as="xs:string" select="f:index(.)"/>
    <xsl:if test="$index"><xsl:value-of select="f:line(('named', $index, f:index-key(.)))"/></xsl:if>
  </xsl:template>

  <xsl:template match="p:set-aside" mode="m:inline"/>

  <xsl:template match="p:g[@standard = 'yes']" mode="m:inline">
    <xsl:param name="size" as="xs:string" select="'base'" tunnel="yes"/>
    <xsl:value-of select="f:line(($size, .))"/>
  </xsl:template>

  <xsl:template match="p:g | p:gap" mode="m:inline">
    <xsl:param name="size" as="xs:string" select="'base'" tunnel="yes"/>
    <xsl:value-of select="f:line((if ($size = 'base') then 'lost' else 'small-lost', .))"/>
  </xsl:template>

  <!-- （误）〔正〕 -->
  <xsl:template match="p:corrected" mode="m:inline">
    <xsl:param name="size" as="xs:string" select="'base'" tunnel="yes"/>
    <xsl:if test="@sic ne ''">
      <xsl:value-of select="f:line(('before', '（')),
          f:line((if ($size = 'base') then 'wrong' else 'small-wrong', @sic)), f:line(('after', '）'))" separator=""/>
    </xsl:if>
    <xsl:call-template name="fp:added"/>
  </xsl:template>

  <xsl:template match="p:supplied" mode="m:inline"><xsl:call-template name="fp:added"/></xsl:template>

  <xsl:template name="fp:added">
    <xsl:if test="string(.) ne ''">
      <xsl:value-of select="f:line(('before', '〔'))"/>
      <xsl:apply-templates select="node()" mode="m:inline"/>
      <xsl:value-of select="f:line(('after', '〕'))"/>
    </xsl:if>
    <xsl:if test="f:explained(.)"><xsl:value-of select="f:line(('mark', f:remark-sign(.), f:remark-id(.)))"/></xsl:if>
  </xsl:template>

  <xsl:template match="p:space" mode="m:inline">
    <xsl:param name="size" as="xs:string" select="'base'" tunnel="yes"/>
    <xsl:value-of select="f:line(($size, '　'))"/>
  </xsl:template>

  <xsl:template match="p:juan" mode="m:inline"><xsl:value-of select="f:line(('juan', @name))"/></xsl:template>

  <xsl:template match="p:note[@place = 'top']" mode="m:inline" priority="1"><xsl:call-template name="m:above"/></xsl:template>

  <!-- A note in base text is recognized by its size; inside a note it keeps its brackets. -->
  <xsl:template match="p:note | p:notes" mode="m:inline">
    <xsl:param name="size" as="xs:string" select="'base'" tunnel="yes"/>
    <xsl:if test="@speaker"><xsl:value-of select="f:line(('named', 'speakers', @speaker))"/></xsl:if>
    <xsl:call-template name="fp:bracketed">
      <xsl:with-param name="brackets" select="if ($size = 'base') then '' else string(@rend)"/>
      <xsl:with-param name="size" select="'small'" tunnel="yes"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="fp:bracketed">
    <xsl:param name="brackets" as="xs:string" required="yes"/>
    <xsl:if test="$brackets"><xsl:value-of select="f:line(('open', substring($brackets, 1, 1)))"/></xsl:if>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:if test="$brackets"><xsl:value-of select="f:line(('close', substring($brackets, 2)))"/></xsl:if>
  </xsl:template>

  <xsl:template match="p:figure" mode="m:inline">
    <xsl:value-of select="f:line(('entry', normalize-space(.)))"/>
  </xsl:template>

</xsl:stylesheet>
