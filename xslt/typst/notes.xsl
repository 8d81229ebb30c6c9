<?xml version="1.0" encoding="UTF-8"?>
<!-- The commentary under a passage (mode m:note). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:note" on-no-match="fail" on-multiple-match="fail"/>

  <!-- `room`: the room that the last line keeps (text.xsl). `after`: the entry on the presence of this note, whose number is at the note's end. -->
  <xsl:template match="p:note" mode="m:note">
    <xsl:param name="after" as="element(p:app)*"/>
    <xsl:param name="room" as="xs:string?"/>
    <b:run kind="note" place="{f:place-of(.)}">
    <xsl:text expand-text="yes">#note({f:typst(@label)}, {{</xsl:text>
    <xsl:if test="@speaker"><xsl:text expand-text="yes">ix("speakers", {f:typst(@speaker)}, {f:typst(f:index-place(.))});</xsl:text></xsl:if>
    <xsl:value-of select="f:shares('note-columns', .)"/>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:for-each select="$after"><xsl:call-template name="m:mark"/></xsl:for-each>
    <xsl:text expand-text="yes">ended({string-length(.)}, "note", {f:typst(f:margin((@on-ref, @ref)[1]))});</xsl:text>
    <xsl:text>}</xsl:text>
    <xsl:if test="f:carried(.)"><xsl:text expand-text="yes">, carried: ({f:typst(@sigla)}, {accumulator-before('fp:margin')})</xsl:text></xsl:if>
    <xsl:value-of select="', first: true'[current() is current()/ancestor::p:commentary[1]/descendant::p:note[1]][current()/ancestor::p:passage[1]/@kind != 'notes']"/>
    <xsl:value-of select="$room, f:entry-numbers(.)" separator=""/>
    <xsl:text>)&#10;</xsl:text>
    </b:run>
  </xsl:template>

  <!-- Whether the sigla of a note are printed: where they are not the rule, and not of a note inside the text. -->
  <xsl:function name="f:carried" as="xs:boolean">
    <xsl:param name="note" as="element(p:note)"/>
    <xsl:sequence select="f:carriers($note) ne '' and $note/not(ancestor::p:note or ancestor::p:unit)"/>
  </xsl:function>

  <!-- A note above the text 眉批 is in the margin beside its words, if it is on base text and short, with nothing in it that has
       a number or notes of its own. Others are notes below the text. -->
  <xsl:function name="f:beside" as="xs:boolean">
    <xsl:param name="note" as="element()"/>
    <xsl:sequence select="$note/@place = 'top' and $note/(parent::p:commentary or parent::p:unit) and string-length($note) le 60
        and exists($note/ancestor::p:passage/p:unit[not(@verse)]) and empty($note//(p:app | p:corrected | p:supplied | p:note))"/>
  </xsl:function>

  <xsl:template match="p:note[f:beside(.)]" mode="m:inline" priority="1">
    <b:run kind="margin" place="{f:place-of(.)}">
    <xsl:text expand-text="yes">crown({accumulator-before('fp:margin')}, {f:typst(replace(@label, f:word('note-top') || '$', ''))}, {{</xsl:text>
    <xsl:if test="@speaker"><xsl:text expand-text="yes">ix("speakers", {f:typst(@speaker)}, {f:typst(f:index-place(.))});</xsl:text></xsl:if>
    <xsl:apply-templates select="node() except node()[1]/self::p:span[@role = 'attribution'][not(current()/@speaker)]" mode="m:inline"/>
    <xsl:text>});</xsl:text>
    </b:run>
  </xsl:template>

  <!-- Several speakers in one bracket, or notes that only some witnesses have: each is a note of its own. -->
  <xsl:template match="p:notes" mode="m:note">
    <xsl:param name="after" as="element(p:app)*"/>
    <xsl:param name="room" as="xs:string?"/>
    <xsl:apply-templates select="*[position() lt last()]" mode="m:note"/>
    <xsl:apply-templates select="*[last()]" mode="m:note">
      <xsl:with-param name="after" select="$after"/>
      <xsl:with-param name="room" select="$room"/>
    </xsl:apply-templates>
  </xsl:template>

  <!-- A note that only witnesses have which are not printed: its number alone. -->
  <xsl:template match="p:app[empty(*)]" mode="m:note">
    <xsl:param name="room" as="xs:string?"/>
    <xsl:text>#note("", {</xsl:text>
    <xsl:call-template name="m:mark"/>
    <xsl:text expand-text="yes">}}{$room})&#10;</xsl:text>
  </xsl:template>

  <xsl:template match="p:app[*]" mode="m:note">
    <xsl:param name="after" as="element(p:app)*"/>
    <xsl:param name="room" as="xs:string?"/>
    <xsl:apply-templates select="*[position() lt last()]" mode="m:note"/>
    <xsl:apply-templates select="*[last()]" mode="m:note">
      <xsl:with-param name="after" select="., $after"/>
      <xsl:with-param name="room" select="$room"/>
    </xsl:apply-templates>
  </xsl:template>

  <xsl:template match="text()[not(normalize-space())]" mode="m:note"/>

</xsl:stylesheet>
