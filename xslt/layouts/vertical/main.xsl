<?xml version="1.0" encoding="UTF-8"?>
<!--
Entry: TEI (or its prepared form) → the punctuated vertical page, as the lists of the traditional page
(../traditional/main.xsl), with these lines besides:
  ["name", "straight" | "wavy"]  the next cells have a line on their left    ["name"]  … no longer
  ["read", style, words]  the next cells have a reading on their right    ["read"]  … no longer
  ["okurigana" | "kaeriten", style, words]  a Japanese ending, or reading mark
and with other kinds of columns: head (of a chapter), subhead (of a section), base (a paragraph of base text), on (it goes on
after commentary), note. Empty cells at heads of columns are those of base text.
-->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:import href="../traditional/main.xsl"/>

  <xsl:variable name="v:template" as="xs:string" select="'columns'"/>

  <!-- Empty cells above the first column of each kind of block, and above its others: a paragraph begins two cells down,
       commentary stands one cell lower, an entry hangs by its number. -->
  <xsl:variable name="fp:cells" as="map(xs:string, xs:integer+)" select="map{
      'base': (2, 0), 'on': (0, 0), 'verse': (2, 2), 'note': (1, 1), 'head': (3, 3), 'subhead': (4, 4), 'juan-head': (0, 0),
      'trailer': (3, 3), 'prose': (2, 0), 'figure': (2, 2), 'category': (1, 1), 'entries': (0, 2), 'rule': (0, 1), 'group': (0, 0), 'index': (0, 0)}"/>

  <xsl:function name="f:column" as="xs:string">
    <xsl:param name="kind" as="xs:string"/>
    <xsl:param name="first" as="xs:integer"/>
    <xsl:param name="rest" as="xs:integer"/>
    <xsl:variable name="cells" as="xs:integer+" select="($fp:cells($kind), ($first, $rest)[empty($fp:cells($kind))])"/>
    <xsl:sequence select="'[&quot;column&quot;,' || f:typst($kind) || ',' || $cells[1] || ',' || $cells[2] || ']&#10;'"/>
  </xsl:function>

  <!-- Characters of the longest note that is short: about a column of this page. Nine in ten notes of 河上公's 老子 have 30,
       of 何晏's 論語集解 35, and stand in the line as a matter of course; of 朱熹's 大學章句 93, of 礼经本义 103. -->
  <xsl:variable name="fp:short" as="xs:integer" select="40"/>

  <!-- Notes longer than `in-line` are not set in the line 夹注; empty: all are. -->
  <xsl:template match="p:text" mode="m:book">
    <xsl:variable name="kept" as="element(p:note)*" select="p:chapter//p:commentary//p:note[not(@place = 'top')]"/>
    <xsl:variable name="many" as="xs:integer" select="count($kept)"/>
    <xsl:variable name="common" as="xs:boolean" select="
        2 * count($kept[@place = 'inline']) ge $many and 10 * count($kept[string-length(.) le $fp:short]) ge 9 * $many"/>
    <xsl:apply-imports>
      <xsl:with-param name="in-line" as="xs:integer?" tunnel="yes" select="
          if ($notes eq 'line' or $notes eq 'auto' and $common) then () else if ($notes eq 'short') then $fp:short else 0"/>
    </xsl:apply-imports>
  </xsl:template>

  <!-- Whether the notes on a passage are set in the line, or all above the text: then the next passage follows directly. -->
  <xsl:function name="fp:in-line" as="xs:boolean">
    <xsl:param name="passage" as="element(p:passage)?"/>
    <xsl:param name="in-line" as="xs:integer?"/>
    <xsl:variable name="kept" as="element(p:note)*" select="$passage/p:commentary//p:note[not(@place = 'top')]"/>
    <xsl:sequence select="exists($passage/p:commentary) and (empty($kept) or $passage/@kind = 'jing'
        and (empty($in-line) or sum($kept ! string-length(.)) le $in-line))"/>
  </xsl:function>

  <xsl:template match="p:passage" mode="m:block">
    <xsl:param name="in-line" as="xs:integer?" tunnel="yes"/>
    <xsl:variable name="words" as="element()*" select="* except p:commentary"/>
    <xsl:if test="$words">
      <xsl:value-of select="
          if (p:head) then f:column(if (ancestor::p:section) then 'subhead' else 'head', 0, 0)
          else if (@join = 'yes' and fp:in-line(preceding-sibling::*[1]/self::p:passage, $in-line)) then ''
          else if (@kind = 'jing') then f:column(if (@join = 'yes') then 'on' else 'base', 0, 0)
          else f:column(@kind, 0, 0)"/>
      <xsl:apply-templates select="$words" mode="m:inline"/>
    </xsl:if>
    <xsl:apply-templates select="p:commentary" mode="m:note"/>
  </xsl:template>

  <!-- Each note is a paragraph, unless it stands in the line, where a blank parts it from the one before; who speaks
       stands before it, unless its words say it or the whole text is his. -->
  <xsl:template match="p:note[not(@place = 'top')]" mode="m:note">
    <xsl:param name="in-line" as="xs:integer?" tunnel="yes"/>
    <xsl:value-of select="
        if (not(fp:in-line(ancestor::p:passage[1], $in-line))) then f:column('note', 1, 1)
        else f:line(('small', '　'))[current()/ancestor::p:commentary[1]//p:note[. &lt;&lt; current()][not(@place = 'top')]]"/>
    <xsl:if test="@speaker"><xsl:value-of select="f:line(('named', 'speakers', @speaker))"/></xsl:if>
    <xsl:if test="@label ne '' and not(@name = root(.)/p:text/p:meta/p:author[last() eq 1]) and not(node()[1]/descendant-or-self::p:span[1][@role = 'attribution'])">
      <xsl:value-of select="f:line(('label', '【' || @label || '】'))"/>
    </xsl:if>
    <xsl:apply-templates select="node()" mode="m:inline">
      <xsl:with-param name="size" select="'small'" tunnel="yes"/>
    </xsl:apply-templates>
    <xsl:if test="f:carriers(.)"><xsl:value-of select="f:line(('label', '（' || f:carriers(.) || '）'))"/></xsl:if>
  </xsl:template>

  <!-- How words are read: at their right (ruby), or Japanese endings and reading marks in the column. -->
  <xsl:template match="p:span[@look = 'ruby'][following-sibling::node()[1]/self::p:note[@subtype = 'ruby']]" mode="m:inline" priority="1">
    <xsl:param name="size" as="xs:string" select="'base'" tunnel="yes"/>
    <xsl:value-of select="f:line(('read', fp:reading-style($size), string-join(following-sibling::p:note[1]//text())))"/>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:value-of select="f:line('read')"/>
  </xsl:template>
  <xsl:template match="p:note[@subtype = 'ruby'][preceding-sibling::node()[1]/self::p:span[@look = 'ruby']]" mode="m:inline" priority="1"/>
  <xsl:template match="p:note[@subtype = ('okurigana', 'kaeriten')]" mode="m:inline" priority="1">
    <xsl:param name="size" as="xs:string" select="'base'" tunnel="yes"/>
    <xsl:value-of select="f:line((@subtype, fp:reading-style($size), string-join(.//text())))"/>
  </xsl:template>
  <xsl:function name="fp:reading-style" as="xs:string">
    <xsl:param name="size" as="xs:string"/>
    <xsl:sequence select="if ($size = 'base') then 'ruby' else 'small-ruby'"/>
  </xsl:function>

  <!-- Lines beside names and titles. -->
  <xsl:template match="p:name" mode="m:inline">
    <xsl:variable name="line" as="xs:string" select="f:line(@kind, $points)"/>
    <xsl:if test="$line"><xsl:value-of select="f:line(('name', $line))"/></xsl:if>
    <xsl:call-template name="m:named"/>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:if test="$line"><xsl:value-of select="f:line('name')"/></xsl:if>
  </xsl:template>

</xsl:stylesheet>
