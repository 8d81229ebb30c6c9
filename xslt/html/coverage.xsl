<?xml version="1.0" encoding="UTF-8"?>
<!-- The extent of each witness along a chapter: a bar for each, drawn at build time. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:template match="coverage" mode="m:coverage" as="element()">
    <span class="cover">
      <abbr title="{(ancestor::text/meta/witness[@id = current()/@witness]/@title)[1]}"><xsl:value-of select="@siglum"/></abbr>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img"
          aria-label="{@siglum}{f:ui('coverage-of')} {round(100 * xs:decimal(@share))}%">
        <path class="rest" d="M0 5H1000"/>
        <path class="has" d="{string-join(run ! ('M' || 1000 * xs:decimal(@from) || ' 5H' || 1000 * xs:decimal(@to)))}"/>
      </svg>
    </span>
  </xsl:template>
  <xsl:mode name="m:coverage" on-no-match="fail"/>

  <!-- The places where the base text varies by more than graphs: a tick for each. Context: the chapter. -->
  <xsl:template name="m:ticks" as="element()?">
    <xsl:variable name="places" as="xs:string*" select="tokenize(@variants)"/>
    <xsl:if test="exists($places)">
      <span class="cover">
        <abbr class="ui" title="{f:ui('variants-title')}"><xsl:value-of select="f:word('substantive')"/></abbr>
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img"
            aria-label="{f:word('substantive')} {count($places)}">
          <path class="ticks" d="{string-join(distinct-values($places) ! ('M' || . || ' 0V10'))}"/>
        </svg>
      </span>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
