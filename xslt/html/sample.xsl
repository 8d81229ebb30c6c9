<?xml version="1.0" encoding="UTF-8"?>
<!-- The passage with which the landing page of a text opens: its marks lead to their entries, its doors into the text. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Context: the text. -->
  <xsl:template name="m:sample" as="element()*">
    <xsl:variable name="unit" as="element(p:unit)?" select="fp:sample(.)"/>
    <xsl:variable name="witnesses" as="map(xs:string, xs:string)" select="f:witnesses(meta)"/>
    <xsl:for-each select="$unit">
      <xsl:variable name="page" as="xs:string" select="string(ancestor::chapter/@page)"/>
      <xsl:variable name="entries" as="element(p:entry)*" select="fp:sampled(.)"/>
      <blockquote class="sample" lang="{/*/@xml:lang}">
        <xsl:if test="/*/@direction eq 'rtl'"><xsl:attribute name="dir" select="'rtl'"/></xsl:if>
        <p class="jing">
          <xsl:apply-templates select="node()" mode="m:inline">
            <xsl:with-param name="sample" select="$entries" tunnel="yes"/>
            <xsl:with-param name="page" select="''" tunnel="yes"/>
            <xsl:with-param name="witnesses" select="$witnesses" tunnel="yes"/>
          </xsl:apply-templates>
        </p>
        <xsl:if test="exists($entries)">
          <ol class="entries">
            <xsl:for-each select="subsequence($entries, 1, 3)">
              <li><xsl:apply-templates select="sentence" mode="m:entry"><xsl:with-param name="witnesses" select="$witnesses" tunnel="yes"/></xsl:apply-templates></li>
            </xsl:for-each>
          </ol>
        </xsl:if>
      </blockquote>
    </xsl:for-each>
    <p class="doors">
      <a href="{($unit/ancestor::chapter, chapter)[1]/@page}.html"><xsl:value-of select="f:word('start-reading')"/></a>
      <xsl:if test="chapter//apparatus"><a href="entries.html"><xsl:value-of select="f:word('see-variants')"/></a></xsl:if>
    </p>
  </xsl:template>

  <!-- The first unit with variants of more than writing that is long enough to be read (12 characters: a sentence) and short
       enough for the page (400: some twelve lines on a phone, of which six are shown); else the first with any, else the first
       of the text. A choice. -->
  <xsl:function name="fp:sample" as="element(p:unit)?">
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:variable name="units" as="element(p:unit)*" select="$text/chapter//unit[not(ancestor::front)]"/>
    <xsl:variable name="varied" as="element(p:unit)*" select="$units[.//app[xs:integer(@rank) ge 2]]"/>
    <xsl:sequence select="($varied[string-length(.) ge 12 and string-length(.) le 400], $varied, $units[.//app], $units[string-length(.) ge 12], $units)[1]"/>
  </xsl:function>

  <!-- The entries of a unit's words, in the order of these. -->
  <xsl:function name="fp:sampled" as="element(p:entry)*">
    <xsl:param name="unit" as="element(p:unit)"/>
    <xsl:variable name="apps" as="element(p:app)*" select="$unit//app[not(ancestor::note)][xs:integer(@rank) ge 2]"/>
    <xsl:sequence select="for $app in $apps return $unit/ancestor::chapter//apparatus/entry[@id = $app/@id][sentence]"/>
  </xsl:function>
</xsl:stylesheet>
