<?xml version="1.0" encoding="UTF-8"?>
<!-- Translations of the text, under or beside its units. A reader chooses one of their languages; CSS knows it by its number. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:key name="fp:translation" match="translation/of" use="@id"/>
  <xsl:function name="fp:languages" as="xs:string*">
    <xsl:param name="text" as="element()"/>
    <xsl:sequence select="distinct-values($text/translation/@xml:lang)"/>
  </xsl:function>

  <!-- The translations of a passage, a paragraph for each language. Context: the passage. -->
  <xsl:template name="m:translated" as="element()*">
    <xsl:variable name="units" as="xs:string*" select="unit/@id"/>
    <xsl:variable name="found" as="element(p:of)*" select="root(.)[. instance of document-node()] ! key('fp:translation', $units, .)"/>
    <xsl:for-each-group select="$found" group-by="string(../@xml:lang)">
      <p class="translated t{index-of(fp:languages(../..), current-grouping-key())}" lang="{current-grouping-key()}">
        <xsl:for-each select="current-group()">
          <xsl:choose>
            <xsl:when test="preceding-sibling::of[1]/@id = @id"><br/></xsl:when>
            <xsl:when test="position() gt 1 and not(matches(current-grouping-key(), '^(zh|ja)'))"><xsl:text> </xsl:text></xsl:when>
          </xsl:choose>
          <xsl:value-of select="."/>
        </xsl:for-each>
      </p>
    </xsl:for-each-group>
  </xsl:template>

  <!-- Who translated the chapter, when, on what basis. Context: the chapter. -->
  <xsl:template name="m:translators" as="element()*">
    <xsl:variable name="units" as="xs:string*" select=".//unit/@id"/>
    <xsl:for-each select="../translation[of/@id = $units][@resp ne '' or @basis]">
      <p class="from translated t{index-of(fp:languages(..), string(@xml:lang))}"><xsl:value-of
        select="@name || (if (../@script) then ': ' else '：') || string-join(((../meta/(speaker[@id = current()/@resp]/@name, resp[@id = current()/@resp]), @resp)[1], @basis), f:word('listing'))"/></p>
    </xsl:for-each>
  </xsl:template>

  <!-- The choice of a language; beside a text in letters, the first is shown from the start. Context: the chapter. -->
  <xsl:template name="m:translations" as="element()?">
    <xsl:variable name="units" as="xs:string*" select=".//unit/@id"/>
    <xsl:variable name="languages" as="xs:string*" select="fp:languages(..)"/>
    <xsl:variable name="here" as="element(p:chapter)" select="."/>
    <xsl:if test="../translation/of/@id = $units">
      <fieldset class="translations">
        <legend><xsl:value-of select="f:word('translation')"/></legend>
        <xsl:variable name="shown" as="xs:string" select="if (../@script) then $languages[1] else 'off'"/>
        <label><input type="radio" name="translation" value="off"><xsl:if test="$shown eq 'off'"><xsl:attribute name="checked" select="'checked'"/></xsl:if></input><span><xsl:value-of select="f:word('translation-off')"/></span></label>
        <xsl:for-each select="$languages">
          <xsl:variable name="language" as="xs:string" select="."/>
          <label><input type="radio" name="translation" value="{.}"><xsl:if test="$shown eq ."><xsl:attribute name="checked" select="'checked'"/></xsl:if></input><span lang="{.}"><xsl:value-of select="($here/../translation[@xml:lang = $language])[1]/@name"/></span></label>
        </xsl:for-each>
        <xsl:if test="count($languages) gt 1">
          <label><input type="radio" name="translation" value="all"/><span><xsl:value-of select="f:word('level-all')"/></span></label>
        </xsl:if>
      </fieldset>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
