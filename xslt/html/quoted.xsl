<?xml version="1.0" encoding="UTF-8"?>
<!-- Links from a quotation to its source, and back. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="mp:quoted" on-no-match="fail" on-multiple-match="fail"/>
  <xsl:key name="fp:quoted" match="at" use="@id"/>
  <xsl:key name="fp:folder" match="text" use="@id"/>

  <!-- The address of the words that a span quotes, relative to a page; none if the source is not on this site. -->
  <xsl:function name="f:source" as="xs:string?">
    <xsl:param name="span" as="element(p:span)"/>
    <xsl:param name="page" as="xs:string"/>
    <xsl:variable name="folder" as="xs:string?" select="$span/@from-text ! fp:folder(.)"/>
    <xsl:sequence select="
        if (empty($span/@from)) then ()
        else if (empty($span/@from-text)) then replace(f:href($span/@from-page, $span/@from, $page), '^(.+)#', if ($view) then '$1?w=' || $view || '#' else '$1#')
        else $folder ! ('../' || . || '/' || f:href($span/@from-page, $span/@from, ''))"/>
  </xsl:function>

  <xsl:function name="fp:folder" as="xs:string?">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="$v:quoted ! key('fp:folder', $text, .)/@folder ! string()"/>
  </xsl:function>

  <!-- The comments elsewhere that quote something, or what is in it. -->
  <xsl:function name="f:quoting" as="element(p:by)*">
    <xsl:param name="of" as="element()"/>
    <xsl:sequence select="$v:quoted ! key('fp:quoted', $of/(@id, .//(unit | note)/@id), .)/by"/>
  </xsl:function>

  <!-- The comments elsewhere that quote the passage, and where their words differ. Context: a passage. -->
  <xsl:template name="m:quoted-by" as="element()?">
    <xsl:param name="page" as="xs:string" tunnel="yes" select="''"/>
    <xsl:variable name="here" as="element(p:passage)" select="."/>
    <xsl:variable name="by" as="element(p:by)*" select="f:quoting(.)"/>
    <xsl:if test="exists($by)">
      <details class="quoted">
        <summary><xsl:value-of select="f:word('quoted-by'), count($by)"/></summary>
        <ul><xsl:apply-templates select="$by" mode="mp:quoted"><xsl:with-param name="here" select="$here" tunnel="yes"/></xsl:apply-templates></ul>
      </details>
    </xsl:if>
  </xsl:template>

  <xsl:template match="by" mode="mp:quoted" as="element()">
    <xsl:param name="page" as="xs:string" tunnel="yes" select="''"/>
    <xsl:param name="here" as="element(p:passage)" tunnel="yes"/>
    <xsl:variable name="own" as="xs:boolean" select="@text eq substring-before(../@id, '.')"/>
    <xsl:variable name="unit" as="xs:string" select="replace(@id, '\.n[0-9].*$', '')"/>
    <li>
      <a href="{if ($own) then '' else '../' || fp:folder(@text) || '/'}{f:href(tokenize(@id, '\.')[2], @id, if ($own) then $page else '')}">
        <xsl:value-of select="if ($own) then ($here/ancestor::text/chapter[@page = tokenize(current()/@id, '\.')[2]][not(@page = $page)]/@title, f:short(f:reference($unit))) else replace($unit, '^([^.]+)\.', '$1:')"/>
      </a>
      <span lang="{$here/ancestor::text/@xml:lang}"><xsl:value-of select="@who"/>「<xsl:apply-templates select="node()" mode="mp:quoted"/>」</span>
    </li>
  </xsl:template>

  <!-- Words that differ from the passage or are missing in it; words of the passage that the comment omits. -->
  <xsl:template match="d" mode="mp:quoted" as="element()*">
    <xsl:if test=". ne ''"><em><xsl:if test="@said ne ''"><xsl:attribute name="title" select="f:word('was') || '「' || @said || '」'"/></xsl:if><xsl:sequence select="f:shown(.)"/></em></xsl:if>
    <xsl:if test=". eq ''"><del title="{f:word('left-out')}"><xsl:sequence select="f:shown(@said)"/></del></xsl:if>
  </xsl:template>

  <xsl:template match="text()" mode="mp:quoted" as="node()*"><xsl:sequence select="f:shown(.)"/></xsl:template>
</xsl:stylesheet>
