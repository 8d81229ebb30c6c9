<?xml version="1.0" encoding="UTF-8"?>
<!-- How the editor's marks and names are shown, by the rules of pipeline/model/styles.py (which gives their reasons); a style is one of its
     names: full corner lines judou none. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:f="urn:jiaokan:functions" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- What is shown for the marks that stand between two graphs, in their order. -->
  <xsl:function name="f:styled" as="xs:string" visibility="public">
    <xsl:param name="signs" as="xs:string"/>
    <xsl:param name="style" as="xs:string"/>
    <xsl:sequence select="
        if ($style eq 'none') then ''
        else if ($style eq 'judou') then substring(translate($signs, '。？！；，：、“”‘’《》〈〉·', '。。。。、、'), 1, 1)
        else if ($style eq 'lines') then translate($signs, '“”‘’《》〈〉', '「」『』')
        else if ($style eq 'corner') then translate($signs, '“”‘’', '「」『』')
        else $signs"/>
  </xsl:function>

  <!-- What is shown for one mark of the text, as it stands beside others. -->
  <xsl:function name="f:mark" as="xs:string">
    <xsl:param name="mark" as="element(p:mark)"/>
    <xsl:param name="style" as="xs:string"/>
    <xsl:variable name="before" as="xs:string" select="string-join(fp:beside($mark)/@sign)" xmlns:fp="urn:jiaokan:private"/>
    <xsl:sequence select="substring-after(f:styled($before || $mark/@sign, $style) || '&#xE000;', f:styled($before, $style)) => translate('&#xE000;', '')"/>
  </xsl:function>

  <!-- The marks right before a mark, in the same place of the text. -->
  <xsl:function name="fp:beside" as="element(p:mark)*" xmlns:fp="urn:jiaokan:private">
    <xsl:param name="mark" as="element(p:mark)"/>
    <xsl:variable name="before" as="node()?" select="$mark/preceding-sibling::node()[1]"/>
    <xsl:sequence select="if ($before instance of element(p:mark)) then (fp:beside($before), $before)
        else if ($before instance of element(p:set-aside)) then $before/preceding-sibling::node()[1][self::p:mark] ! (fp:beside(.), .)
        else ()"/>
  </xsl:function>

  <!-- The line that a name has: wavy, straight, or none (empty). -->
  <xsl:function name="f:line" as="xs:string" visibility="public">
    <xsl:param name="kind" as="xs:string"/>
    <xsl:param name="style" as="xs:string"/>
    <xsl:sequence select="if ($style ne 'lines') then '' else if ($kind eq 'title') then 'wavy' else 'straight'"/>
  </xsl:function>

</xsl:stylesheet>
