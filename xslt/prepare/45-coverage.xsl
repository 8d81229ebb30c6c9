<?xml version="1.0" encoding="UTF-8"?>
<!-- Facts about a chapter: counts, extent of each witness, commentators. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Context: the chapter, after gathering. -->
  <xsl:template name="m:counts" as="node()*">
    <xsl:variable name="units" as="element(p:unit)*" select="descendant::p:unit"/>
    <xsl:variable name="lengths" as="xs:integer*" select="$units ! xs:integer(@characters)"/>
    <xsl:attribute name="units" select="count($units)"/>
    <xsl:attribute name="notes" select="count(descendant::p:note[@kind = 'commentary'])"/>
    <xsl:attribute name="entries" select="count(descendant::p:app/descendant::p:entry[not(ancestor::p:words or @sums or @stated)])"/>
    <xsl:attribute name="characters" select="sum($lengths)"/>
    <xsl:attribute name="variants" select="fp:variants($units, $lengths)"/>
    <!-- Many units have the same witnesses: their ids are looked up, since comparing each takes quadratic time. -->
    <xsl:variable name="carriers" as="map(xs:string, map(xs:string, xs:boolean))" select="map:merge(
        distinct-values($units/@wits/string()) ! map{.: map:merge(distinct-values(tokenize(.)) ! map{.: true()})})"/>
    <xsl:variable name="of-units" as="map(xs:string, xs:boolean)*" select="$units ! ($carriers(string(@wits)), map{})[1]"/>
    <xsl:for-each-group select="ancestor::p:text/p:meta/p:witness[not(@reported)]" group-by="@id">
      <xsl:variable name="runs" as="element(p:run)*" select="fp:runs(@id, $of-units, $lengths)"/>
      <xsl:if test="exists($runs)">
        <coverage witness="{@id}" siglum="{@siglum}" share="{fp:round(sum($runs/(@to - @from)))}">
          <xsl:sequence select="$runs"/>
        </coverage>
      </xsl:if>
    </xsl:for-each-group>
    <xsl:for-each-group select="descendant::p:note[@kind = 'commentary'][@label ne '']" group-by="(@speaker, @label)[1]">
      <voice speaker="{current-grouping-key()}" label="{@label}" name="{@name}" dynasty="{@dynasty}" notes="{count(current-group())}"
          subtypes="{distinct-values(current-group()/@subtype)}"/>
    </xsl:for-each-group>
  </xsl:template>

  <!-- The places of entries of rank ≥ 2 along the base text, in thousandths. -->
  <xsl:function name="fp:variants" as="xs:integer*">
    <xsl:param name="units" as="element(p:unit)*"/>
    <xsl:param name="lengths" as="xs:integer*"/>
    <xsl:variable name="total" as="xs:integer" select="max((1, xs:integer(sum($lengths))))"/>
    <xsl:iterate select="$units">
      <xsl:param name="at" as="xs:integer" select="0"/>
      <xsl:variable name="place" as="xs:integer" select="position()"/>
      <xsl:if test=".//p:app"><xsl:sequence select="fp:places(.) ! (($at + .) * 1000 idiv $total)"/></xsl:if>
      <xsl:next-iteration><xsl:with-param name="at" select="$at + $lengths[$place]"/></xsl:next-iteration>
    </xsl:iterate>
  </xsl:function>

  <!-- The number of characters of a unit before each of its entries of rank ≥ 2. -->
  <xsl:function name="fp:places" as="xs:integer*">
    <xsl:param name="unit" as="element(p:unit)"/>
    <xsl:iterate select="$unit//node()[self::text() or self::p:app][not(ancestor::p:entry or ancestor::p:note or ancestor::p:other)]">
      <xsl:param name="before" as="xs:integer" select="0"/>
      <xsl:if test="self::p:app and xs:integer(@rank) ge 2"><xsl:sequence select="$before"/></xsl:if>
      <xsl:next-iteration>
        <xsl:with-param name="before" select="$before + (if (self::text()) then string-length(.) else 0)"/>
      </xsl:next-iteration>
    </xsl:iterate>
  </xsl:function>

  <!-- The parts of the chapter that a witness has; adjacent parts are joined. -->
  <xsl:function name="fp:runs" as="element(p:run)*">
    <xsl:param name="witness" as="xs:string"/>
    <xsl:param name="units" as="map(xs:string, xs:boolean)*"/>
    <xsl:param name="lengths" as="xs:integer*"/>
    <xsl:variable name="total" as="xs:integer" select="max((1, xs:integer(sum($lengths))))"/>
    <xsl:iterate select="$units">
      <xsl:param name="at" as="xs:integer" select="0"/>
      <xsl:param name="start" as="xs:integer?" select="()"/>
      <xsl:on-completion><xsl:sequence select="$start ! fp:run(., $at, $total)"/></xsl:on-completion>
      <xsl:variable name="place" as="xs:integer" select="position()"/>
      <xsl:variable name="has" as="xs:boolean" select="exists(.($witness))"/>
      <xsl:if test="not($has)"><xsl:sequence select="$start ! fp:run(., $at, $total)"/></xsl:if>
      <xsl:next-iteration>
        <xsl:with-param name="at" select="$at + $lengths[$place]"/>
        <xsl:with-param name="start" select="if ($has) then ($start, $at)[1] else ()"/>
      </xsl:next-iteration>
    </xsl:iterate>
  </xsl:function>

  <xsl:function name="fp:run" as="element(p:run)">
    <xsl:param name="from" as="xs:integer"/>
    <xsl:param name="to" as="xs:integer"/>
    <xsl:param name="total" as="xs:integer"/>
    <run from="{fp:round($from div $total)}" to="{fp:round($to div $total)}"/>
  </xsl:function>

  <xsl:function name="fp:round" as="xs:decimal">
    <xsl:param name="number" as="xs:anyAtomicType"/>
    <xsl:sequence select="round(xs:decimal($number), 4)"/>
  </xsl:function>
</xsl:stylesheet>
