<?xml version="1.0" encoding="UTF-8"?>
<!-- Pictures of the print: a link at the unit, comment, head or trailer in which, or with which, a leaf begins. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:key name="fp:leaf" match="leaf" use="@on"/>

  <!-- Context: an element with an id. -->
  <xsl:template name="m:leaves" as="element()*">
    <xsl:variable name="id" as="xs:string" select="string(@id)"/>
    <xsl:for-each select="$v:leaves ! key('fp:leaf', $id, .)[f:safe(@image)]">
      <a class="leafpage" href="{f:safe(@image)}" target="_blank" rel="noreferrer" title="{f:ui('page-image')} {@ed} {@n}" aria-label="{f:ui('page-image')} {@ed} {@n}"><xsl:value-of select="(@n[. ne ''], '▦')[1]"/></a>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
