<?xml version="1.0" encoding="UTF-8"?>
<!-- What the marks of a chapter mean: a line above its text that a reader can dismiss; `?` shows it again. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Only marks that the chapter shows are explained. Context: the chapter. -->
  <xsl:template name="m:legend" as="element()?">
    <xsl:param name="usual" as="xs:string?" required="yes"/>
    <xsl:variable name="shown" as="element(p:app)*" select=".//app[xs:integer(@rank) ge 2]"/>
    <xsl:variable name="kinds" as="xs:string*" select="
        'variant'[exists($shown[node()])], 'more'[exists($shown[not(node())])], 'edited'[exists((current()//(corrected | supplied))[1])],
        'moved'[exists((current()//move[@said])[1])], 'source'[exists((current()//span[@from])[1])],
        'from'[exists((current()//commentary//note[fp:has-sigla(., $usual)])[1])], 'alike'[exists((current()//commentary//note[@alike])[1])]"/>
    <xsl:if test="exists($kinds)">
      <p class="legend" role="note">
        <xsl:for-each select="$kinds">
          <span><xsl:if test=". = ('from', 'alike')"><xsl:attribute name="class" select="'of-notes'"/></xsl:if><i class="sign sign-{.}" aria-hidden="true"><xsl:value-of select="fp:sign(.)"/></i><xsl:value-of select="f:word('legend-' || .)"/></span>
        </xsl:for-each>
      </p>
    </xsl:if>
  </xsl:template>

  <xsl:function name="fp:sign" as="xs:string">
    <xsl:param name="kind" as="xs:string"/>
    <xsl:variable name="brackets" as="xs:string" select="if ($v:chinese) then '〔〕' else '[]'"/>
    <xsl:sequence select="(map{'more': '', 'moved': f:word('moved-sign'), 'from': substring($brackets, 1, 1) || '…' || substring($brackets, 2),
        'alike': substring($brackets, 1, 1) || f:word('alike') || '…' || substring($brackets, 2)}($kind),
        f:word('legend-sign'))[1]"/>
  </xsl:function>
</xsl:stylesheet>
