<?xml version="1.0" encoding="UTF-8"?>
<!-- What stands before the text, after the title page: principles, witnesses, contents (mode m:front). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:front" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="p:meta" mode="m:front">
    <xsl:call-template name="m:cover"/>
    <xsl:if test="f:part('principles')">
      <xsl:text>#part("principles", "凡例", to: "odd", principles(</xsl:text>
      <xsl:apply-templates select="p:description, p:principle" mode="m:front"/>
      <xsl:call-template name="fp:signs"/>
      <xsl:text>))&#10;</xsl:text>
    </xsl:if>
    <xsl:if test="p:witness and f:part('witnesses')">
      <xsl:text>#part("witnesses", "底本与校本", witnesses(</xsl:text>
      <xsl:apply-templates select="p:witness" mode="m:front"/>
      <xsl:text>))&#10;</xsl:text>
    </xsl:if>
    <xsl:if test="f:part('contents')"><xsl:text>#contents("目录")&#10;</xsl:text></xsl:if>
  </xsl:template>

  <xsl:template match="p:description | p:principle" mode="m:front">
    <xsl:text expand-text="yes">{f:typst(.)}, </xsl:text>
  </xsl:template>

  <!-- The signs that this book uses, each only if it occurs. -->
  <xsl:template name="fp:signs">
    <xsl:variable name="text" as="element(p:text)" select=".."/>
    <xsl:variable name="place" as="xs:string" select="map{'foot': '页下', 'section': '节末', 'chapter': '篇末'}($v:apparatus)"/>
    <xsl:text>signs: (</xsl:text>
    <xsl:if test="$text//p:app[f:printed(.)]"><xsl:text expand-text="yes">("〔一〕", "异文之号，各节自为起讫，校语见{$place}。字形之异屡见者，止于首见出校。"),</xsl:text></xsl:if>
    <xsl:if test="$text//p:move"><xsl:text expand-text="yes">("※", "此下文字，有一本置于他处，见{$place}。"),</xsl:text></xsl:if>
    <xsl:if test="$text//(p:corrected | p:supplied)[f:explained(.)]"><xsl:text expand-text="yes">("［一］", "校改之号，所据见{$place}。"),</xsl:text></xsl:if>
    <xsl:if test="$text//p:corrected">("（误）〔正〕", "圆括号内为底本误字，方括号内为所正。"),</xsl:if>
    <xsl:if test="$text//p:supplied">("〔补〕", "底本脱字，据他本补。"),</xsl:if>
    <xsl:if test="$text//p:gap[@reason = 'blank']">("□", "底本空格。"),</xsl:if>
    <xsl:if test="$text//(p:g[@standard = 'no'] | p:gap[@reason = 'glyph-lost'])">("〓", "字失其形，未能考定。"),</xsl:if>
    <xsl:text>("1.2.3", "页旁之数：篇、节、句。"),)</xsl:text>
  </xsl:template>

  <xsl:template match="p:witness" mode="m:front">
    <xsl:text expand-text="yes">(siglum: {f:typst(@siglum)}, title: {f:typst(@title)}, authors: {f:typst(string-join(p:author, '、'))}, dynasty: {f:typst(@dynasty)}, about: {f:typst(string-join(p:about, '　'))}),</xsl:text>
  </xsl:template>

</xsl:stylesheet>
