<?xml version="1.0" encoding="UTF-8"?>
<!-- Text as Typst strings. Text is always a string of Typst's code mode, never markup, so that no character of it
     (# $ * _ @ // …) is a command: only the quote, the backslash and line ends are special. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:f="urn:jiaokan:functions" exclude-result-prefixes="#all">

  <!-- A string with what is special inside a Typst string escaped. -->
  <xsl:function name="f:typst-escape" as="xs:string" visibility="public">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="
        if (translate($text, '\&quot;&#9;&#10;&#13;', '') eq $text) then $text
        else $text => replace('[\\&quot;]', '\\$0') => replace('&#9;', '\\t') => replace('&#10;', '\\n')
          => replace('&#13;', '\\r')"/>
  </xsl:function>

  <!-- A string as a Typst string literal, in quotes. -->
  <xsl:function name="f:typst" as="xs:string" visibility="public">
    <xsl:param name="text" as="xs:string?"/>
    <xsl:sequence select="'&quot;' || f:typst-escape(string($text)) || '&quot;'"/>
  </xsl:function>

  <!-- Words that the pages show, as a Typst string: marked in the code, so that outputs/print/words.py has them as words. -->
  <xsl:function name="f:literal" as="element(b:w)" visibility="public">
    <xsl:param name="text" as="xs:string"/>
    <b:w><xsl:value-of select="$text"/></b:w>
  </xsl:function>

  <!-- Such a string as an expression of its own. -->
  <xsl:function name="f:set-words" as="node()+" visibility="public">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="f:literal($text)"/>
    <xsl:text>;</xsl:text>
  </xsl:function>

  <!-- Strings as a Typst array. -->
  <xsl:function name="f:typst-array" as="xs:string" visibility="public">
    <xsl:param name="texts" as="xs:string*"/>
    <xsl:sequence select="'(' || string-join($texts ! (f:typst(.) || ',')) || ')'"/>
  </xsl:function>

</xsl:stylesheet>
