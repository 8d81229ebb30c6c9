<?xml version="1.0" encoding="UTF-8"?>
<!-- Sigla in the sentences of entries, for pages and print. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:f="urn:jiaokan:functions" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The sentence of an entry in which the siglum of a group stands for those of all its members, if the header of the file has
       such groups. Between sigla there are spaces. -->
  <xsl:function name="f:grouped-sigla" as="node()*">
    <xsl:param name="sentence" as="element(p:sentence)"/>
    <xsl:variable name="witnesses" as="element(p:witness)*" select="root($sentence)/p:text/p:meta/p:witness[@group]"/>
    <xsl:for-each-group select="$sentence/node()" group-adjacent="exists($witnesses) and (exists(self::p:siglum) or exists(self::text()[. eq ' '][preceding-sibling::node()[1]/self::p:siglum][following-sibling::node()[1]/self::p:siglum]))">
      <xsl:variable name="sigla" as="element(p:siglum)*" select="current-group()/self::p:siglum"/>
      <xsl:choose>
        <xsl:when test="current-grouping-key()">
          <xsl:variable name="whole" as="xs:string*" select="for $group in distinct-values($witnesses/@group), $members in count($witnesses[@group eq $group])
              return $group[$members gt 1][$members eq count($witnesses[@group eq $group][@id = $sigla/@id])]"/>
          <xsl:variable name="shown" as="element(p:siglum)*">
            <xsl:for-each-group select="$sigla" group-by="for $siglum in . return ($witnesses[@id eq $siglum/@id]/@group[. = $whole], $siglum/@id)[1]">
              <p:siglum id="{current-grouping-key()}"><xsl:value-of select="if (current-grouping-key() = $whole) then current-grouping-key() else ."/></p:siglum>
            </xsl:for-each-group>
          </xsl:variable>
          <xsl:for-each select="$shown">
            <xsl:if test="position() gt 1"><xsl:text> </xsl:text></xsl:if>
            <xsl:sequence select="."/>
          </xsl:for-each>
        </xsl:when>
        <xsl:otherwise><xsl:sequence select="current-group()"/></xsl:otherwise>
      </xsl:choose>
    </xsl:for-each-group>
  </xsl:function>
</xsl:stylesheet>
