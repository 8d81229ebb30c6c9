<?xml version="1.0" encoding="UTF-8"?>
<!-- The display of the editor's marks and names, by the rules of pipeline/jiaokan/model/marks.py (with their reasons); styles are
     full, corner, lines, judou, none. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The words of a source with its marks as shown, by jiaokan.model.marks.normalised: full width beside Chinese graphs,
       straight quotation marks in pairs. The number of characters stays the same. -->
  <xsl:function name="f:normalised" as="xs:string" visibility="public">
    <xsl:param name="text" as="xs:string"/>
    <xsl:variable name="wide" as="xs:string">
      <xsl:value-of>
        <xsl:for-each select="analyze-string(translate($text, '＂＇', '&quot;'''), $fp:marks)/*">
          <xsl:variable name="before" as="xs:string" select="string(preceding-sibling::*[1])"/>
          <xsl:variable name="beside" as="xs:string" select="
              if ($before) then substring($before, string-length($before)) else substring(string(following-sibling::*[1]), 1, 1)"/>
          <xsl:sequence select="if (self::fn:match and matches($beside, $fp:graph)) then translate(., $fp:source || '&quot;''', $fp:shown || '&#xE001;&#xE002;') else string(.)"
              xmlns:fn="http://www.w3.org/2005/xpath-functions"/>
        </xsl:for-each>
      </xsl:value-of>
    </xsl:variable>
    <xsl:sequence select="fp:paired(fp:paired($wide, '&#xE001;', '“”', '&quot;'), '&#xE002;', '‘’', '''')"/>
  </xsl:function>

  <!-- Text with straight quotation marks in pairs, if their number is even; else unchanged. -->
  <xsl:function name="fp:paired" as="xs:string">
    <xsl:param name="text" as="xs:string"/>
    <xsl:param name="sign" as="xs:string"/>
    <xsl:param name="pair" as="xs:string"/>
    <xsl:param name="straight" as="xs:string"/>
    <xsl:variable name="parts" as="xs:string*" select="tokenize($text, $sign)"/>
    <xsl:sequence select="
        if (count($parts) mod 2 eq 0) then translate($text, $sign, $straight)
        else string-join(for $n in 1 to count($parts) return ($parts[$n], if ($n eq count($parts)) then () else substring($pair, 2 - $n mod 2, 1)))"/>
  </xsl:function>

  <xsl:variable name="fp:source" as="xs:string" select="',.:;?!｡､．﹐﹑﹒﹔﹕﹖﹗「」『』〝〞・‧•'"/>
  <xsl:variable name="fp:shown" as="xs:string" select="'，。：；？！。、。，、。；：？！“”‘’“”···'"/>
  <xsl:variable name="fp:marks" as="xs:string" select="'[!&quot;'',\.:;\?·‘’“”•‧、。〈〉《》「」『』〝〞・﹐﹑﹒﹔﹕﹖﹗！＂＇，．：；？｡､\s]+'"/>
  <!-- The marks that are shown differently. -->
  <xsl:variable name="f:narrow" as="xs:string" select="',.:;?!｡､．﹐﹑﹒﹔﹕﹖﹗「」『』〝〞・‧•&quot;'''"/>
  <xsl:variable name="fp:graph" as="xs:string" select="'[&#x3400;-&#x9FFF;&#xF900;-&#xFAFF;&#x20000;-&#x3FFFF;○□〓]'"/>

  <!-- The characters shown for the marks between two graphs, in their order. -->
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

  <!-- The characters shown for one mark of the text, depending on its neighbours. -->
  <xsl:function name="f:mark" as="xs:string">
    <xsl:param name="mark" as="element(p:mark)"/>
    <xsl:param name="style" as="xs:string"/>
    <xsl:variable name="before" as="xs:string" select="string-join(fp:beside($mark)/@sign)"/>
    <xsl:sequence select="if ($before eq '') then f:styled($mark/@sign, $style)
        else substring-after(f:styled($before || $mark/@sign, $style) || '&#xE000;', f:styled($before, $style)) => translate('&#xE000;', '')"/>
  </xsl:function>

  <!-- The marks directly before a mark, at the same place of the text. -->
  <xsl:function name="fp:beside" as="element(p:mark)*">
    <xsl:param name="mark" as="element(p:mark)"/>
    <xsl:variable name="before" as="node()?" select="$mark/preceding-sibling::node()[1]"/>
    <xsl:sequence select="if ($before instance of element(p:mark)) then (fp:beside($before), $before)
        else if ($before instance of element(p:set-aside)) then $before/preceding-sibling::node()[1][self::p:mark] ! (fp:beside(.), .)
        else ()"/>
  </xsl:function>

  <!-- The line of a name: wavy, straight, or none (empty). -->
  <xsl:function name="f:line" as="xs:string" visibility="public">
    <xsl:param name="kind" as="xs:string"/>
    <xsl:param name="style" as="xs:string"/>
    <xsl:sequence select="if ($style ne 'lines') then '' else if ($kind eq 'title') then 'wavy' else 'straight'"/>
  </xsl:function>

</xsl:stylesheet>
