<?xml version="1.0" encoding="UTF-8"?>
<!-- What stands before the text, after the title page: principles, witnesses, contents (mode m:front). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:front" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="p:meta" mode="m:front">
    <xsl:call-template name="m:cover"/>
    <xsl:if test="f:part('principles')">
      <xsl:text expand-text="yes">#part("principles", {f:typst(f:said('凡例'))}, to: "odd", principles(</xsl:text>
      <xsl:apply-templates select="p:description, p:principle" mode="m:front"/>
      <xsl:call-template name="fp:signs"/>
      <xsl:text>))&#10;</xsl:text>
    </xsl:if>
    <xsl:if test="p:witness and f:part('witnesses')">
      <xsl:text expand-text="yes">#part("witnesses", {f:typst(f:said('底本与校本'))}, witnesses(</xsl:text>
      <xsl:apply-templates select="p:witness[not(@reported)]" mode="m:front"/>
      <xsl:text expand-text="yes">reported: {f:typst-array(p:witness[@reported]/@siglum)}))&#10;</xsl:text>
    </xsl:if>
    <xsl:if test="f:part('contents')"><xsl:text expand-text="yes">#contents({f:typst(f:said('目录'))})&#10;</xsl:text></xsl:if>
  </xsl:template>

  <xsl:template match="p:description | p:principle" mode="m:front">
    <xsl:text expand-text="yes">{f:typst(.)}, </xsl:text>
  </xsl:template>

  <!-- The signs that this book uses. -->
  <xsl:template name="fp:signs">
    <xsl:text>signs: (</xsl:text>
    <xsl:for-each select="f:signs(.., map{'foot': '页下', 'section': '节末', 'chapter': '篇末'}($v:apparatus))">
      <xsl:text expand-text="yes">({f:typst(@sign)}, {f:typst(.)}),</xsl:text>
    </xsl:for-each>
    <xsl:text expand-text="yes">("1.2.3", {f:typst(f:said('页旁之数：篇、节、句。'))}),</xsl:text>
    <xsl:if test="..//p:chapter[f:partly(.)]"><xsl:text expand-text="yes">("━", {f:typst(f:said('篇首横线，粗处为其本所存。'))}),</xsl:text></xsl:if>
    <xsl:text>)</xsl:text>
  </xsl:template>

  <xsl:template match="p:witness" mode="m:front">
    <xsl:text expand-text="yes">(siglum: {f:typst(@siglum)}, title: {f:typst(@title)}, by: {f:typst(f:makers(.))}, about: {f:typst(string-join(p:about, '　'))}),</xsl:text>
  </xsl:template>

</xsl:stylesheet>
