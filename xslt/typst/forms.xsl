<?xml version="1.0" encoding="UTF-8"?>
<!-- What paragraphs are in somebody else's file: speakers, stage directions, items, parts of a letter, cells of tables.
     text.xsl writes the passage itself; forms.typ says how each form looks. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:template match="p:passage[*[1]/@form]" mode="m:block" priority="2">
    <xsl:text expand-text="yes">#formed({f:typst(*[1]/@form)}{*[1]/@label ! (', label: ' || f:typst(.))}{*[1]/@group ! (', group: ' || f:typst(.))})[&#10;</xsl:text>
    <xsl:next-match/>
    <xsl:text>]&#10;</xsl:text>
  </xsl:template>

  <!-- A table is written where its first cell is. -->
  <xsl:template match="p:passage[f:is-cell(.)]" mode="m:block" priority="3">
    <xsl:if test="not(preceding-sibling::*[1][f:is-cell(.)])">
      <xsl:variable name="end" as="element()?" select="following-sibling::*[not(f:is-cell(.))][1]"/>
      <xsl:variable name="cells" as="element(p:passage)+" select="., following-sibling::p:passage[empty($end) or . &lt;&lt; $end]"/>
      <xsl:text>#given-table(</xsl:text>
      <xsl:for-each-group select="$cells" group-starting-with="*[*[1]/@form = 'row']">
        <xsl:text>(</xsl:text>
        <xsl:for-each select="current-group()">
          <xsl:text>[</xsl:text>
          <xsl:call-template name="m:passage"/>
          <xsl:text>],</xsl:text>
        </xsl:for-each>
        <xsl:text>),</xsl:text>
      </xsl:for-each-group>
      <xsl:text>)&#10;</xsl:text>
    </xsl:if>
  </xsl:template>

  <!-- What stays on the page of the words after it: a speaker, the label of a part. -->
  <xsl:function name="f:room-of-form" as="xs:string">
    <xsl:param name="passage" as="element(p:passage)"/>
    <xsl:sequence select="if ($passage/*[1]/@form = ('speaker', 'head', 'dateline', 'salute') and $passage/following-sibling::*[1]/self::p:passage)
        then ', room: 1.5 * base-line' else ''"/>
  </xsl:function>

  <!-- Words in a form of their own (italic, superscript). -->
  <xsl:template match="p:span[@role = 'hi'][@look]" mode="m:inline" priority="1">
    <xsl:text expand-text="yes">looking({f:typst(@look)}, {{</xsl:text>
    <xsl:next-match/>
    <xsl:text>});</xsl:text>
  </xsl:template>

</xsl:stylesheet>
