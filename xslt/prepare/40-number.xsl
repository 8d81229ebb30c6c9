<?xml version="1.0" encoding="UTF-8"?>
<!-- Divisions as passages; numbers entries and puts them at the end of their division; counts chapters (mode m:number). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:number" on-no-match="shallow-copy"/>

  <xsl:template match="p:chapter | p:section" mode="m:number" as="element()">
    <xsl:param name="again" as="map(xs:string, xs:boolean)" tunnel="yes" select="map{}"/>
    <xsl:variable name="apps" as="element(p:app)*" select="(* except p:section)/descendant-or-self::p:app"/>
    <xsl:variable name="numbers" as="map(xs:string, xs:integer*)" select="fp:numbers($apps)"/>
    <xsl:copy>
      <xsl:copy-of select="@*"/>
      <xsl:if test="self::p:chapter"><xsl:call-template name="m:counts"/></xsl:if>
      <xsl:call-template name="m:passages">
        <xsl:with-param name="numbers" select="$numbers" tunnel="yes"/>
        <xsl:with-param name="again" select="if (self::p:chapter) then fp:again(.//p:unit) else $again" tunnel="yes"/>
      </xsl:call-template>
      <xsl:if test="exists($apps)">
        <apparatus>
          <xsl:apply-templates select="$apps/p:entry" mode="mp:entry">
            <xsl:with-param name="numbers" select="$numbers" tunnel="yes"/>
          </xsl:apply-templates>
        </apparatus>
      </xsl:if>
    </xsl:copy>
  </xsl:template>

  <!-- Units with the same reference as the unit before: in a text whose units are not counted, it is printed once. -->
  <xsl:function name="fp:again" as="map(xs:string, xs:boolean)">
    <xsl:param name="units" as="element(p:unit)*"/>
    <xsl:sequence select="map:merge(if (map:size($v:references) eq 0) then ()
        else for-each-pair($units, tail($units), function($one, $next) { if ($one/@ref eq $next/@ref) then map{string($next/@id): true()} else map{} }))"/>
  </xsl:function>

  <!-- Map: id of an entry → its number among the entries of rank ≥ 0, ≥ 1, ≥ 2, ≥ 3. -->
  <xsl:function name="fp:numbers" as="map(xs:string, xs:integer*)">
    <xsl:param name="apps" as="element(p:app)*"/>
    <xsl:iterate select="$apps">
      <xsl:param name="last" as="xs:integer*" select="0, 0, 0, 0"/>
      <xsl:param name="numbers" as="map(xs:string, xs:integer*)" select="map{}"/>
      <xsl:on-completion><xsl:sequence select="$numbers"/></xsl:on-completion>
      <xsl:variable name="rank" as="xs:integer" select="xs:integer(@rank)"/>
      <xsl:variable name="now" as="xs:integer*" select="for $k in 0 to 3 return $last[$k + 1] + (if ($rank ge $k) then 1 else 0)"/>
      <xsl:next-iteration>
        <xsl:with-param name="last" select="$now"/>
        <xsl:with-param name="numbers" select="map:put($numbers, string(@id), $now[position() le $rank + 1])"/>
      </xsl:next-iteration>
    </xsl:iterate>
  </xsl:function>

  <xsl:template match="p:unit" mode="m:number" as="element(p:unit)">
    <xsl:param name="again" as="map(xs:string, xs:boolean)" tunnel="yes" required="yes"/>
    <xsl:copy>
      <xsl:copy-of select="@*"/>
      <xsl:if test="$again(@id)"><xsl:attribute name="again" select="'yes'"/></xsl:if>
      <xsl:apply-templates select="node()" mode="m:number"/>
    </xsl:copy>
  </xsl:template>

  <!-- A note without entries is copied unchanged. -->
  <xsl:template match="p:note[empty(.//p:app)]" mode="m:number" as="element()"><xsl:copy-of select="."/></xsl:template>

  <xsl:template match="p:app" mode="m:number" as="element(p:app)">
    <xsl:copy>
      <xsl:copy-of select="@*"/>
      <xsl:call-template name="mp:numbered"/>
      <xsl:apply-templates select="node() except p:entry" mode="m:number"/>
    </xsl:copy>
  </xsl:template>

  <xsl:mode name="mp:entry" on-no-match="fail"/>
  <xsl:template match="p:entry" mode="mp:entry" as="element(p:entry)">
    <xsl:copy>
      <xsl:copy-of select="@*"/>
      <xsl:if test="ancestor::p:note or ../p:note or parent::p:app[@block]"><xsl:attribute name="on" select="'note'"/></xsl:if>
      <xsl:call-template name="mp:numbered"/>
      <xsl:copy-of select="node()"/>
    </xsl:copy>
  </xsl:template>

  <!-- The attributes h0, h2, h3 of the context element. -->
  <xsl:template name="mp:numbered" as="attribute()*">
    <xsl:param name="numbers" as="map(xs:string, xs:integer*)" tunnel="yes" required="yes"/>
    <xsl:variable name="own" as="xs:integer*" select="$numbers(@id)"/>
    <xsl:if test="exists($own)">
      <xsl:attribute name="h0" select="f:digits($own[1])"/>
      <xsl:if test="$own[3]"><xsl:attribute name="h2" select="f:digits($own[3])"/></xsl:if>
      <xsl:if test="$own[4]"><xsl:attribute name="h3" select="f:digits($own[4])"/></xsl:if>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
