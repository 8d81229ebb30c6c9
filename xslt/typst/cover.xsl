<?xml version="1.0" encoding="UTF-8"?>
<!-- Document data, title page and colophon of all layouts: parts of a book (layouts/modern/main.xsl). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:v="urn:jiaokan:variables" xmlns:fp="urn:jiaokan:private"
    xmlns:b="urn:jiaokan:book" xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:cover" on-no-match="fail" on-multiple-match="fail"/>

  <!-- Context: p:meta. `layout`: the Typst function that sets the book. -->
  <xsl:template name="m:cover" as="element(b:part)+">
    <xsl:param name="layout" as="xs:string" select="'edition'"/>
    <b:part kind="head" xsl:expand-text="yes">#show: {$layout}.with(title: {f:typst(p:title)}, authors: {f:typst-array(p:editor)}, script: {f:typst(fp:script(../@xml:lang))}, date: {fp:date(p:date)}, description: {f:typst((p:description, p:subtitle)[1])})&#10;</b:part>
    <xsl:if test="f:part('title')">
      <b:part kind="title" xsl:expand-text="yes">#title-page(title: {f:typst(p:title)}, subtitle: {f:typst(p:subtitle)}, authors: {f:typst-array(fp:authors(.))}, publisher: {f:typst(p:publisher)})&#10;</b:part>
    </xsl:if>
  </xsl:template>

  <!-- Context: p:meta. Characters that no font has, and the colophon. -->
  <xsl:template name="m:colophon" as="element(b:part)+">
    <b:part kind="substitutions" xsl:expand-text="yes">#substitutions({f:typst(f:word('book-substitutions'))})&#10;</b:part>
    <xsl:if test="f:part('colophon')">
      <b:part kind="colophon">
      <xsl:text>#colophon(</xsl:text>
      <xsl:text expand-text="yes">title: {f:typst(p:title)}, subtitle: {f:typst(p:subtitle)}, editors: {f:typst-array(p:editor)}, edited: {f:typst(f:word(if (p:stated) then 'book-header-editor' else 'book-edited-by'))}, publisher: {f:typst(fp:imprint(.))}, {if (p:funder[normalize-space()]) then 'funder: ' || f:typst(string-join(p:funder[normalize-space()], '　')) || ', ' else ''}date: {f:typst(p:date)}, licence: {f:typst(fp:licence(p:licence))}, address: {f:typst(p:licence/@target)}, version: {f:typst(p:program/@version)}, sources: (</xsl:text>
      <xsl:apply-templates select="(p:witness | p:source)[p:sha256]" mode="m:cover"/>
      <xsl:text>))&#10;</xsl:text>
      </b:part>
    </xsl:if>
  </xsl:template>

  <xsl:template match="p:witness | p:source" mode="m:cover">
    <xsl:text expand-text="yes">(title: {f:typst(@title)}, file: {f:typst(p:file)}, sha256: {f:typst(p:sha256)}, about: {f:typst(string-join((p:holder, self::p:source/p:about), '　'))}),</xsl:text>
  </xsl:template>

  <!-- Who publishes it, where, and under which numbers. -->
  <xsl:function name="fp:imprint" as="xs:string">
    <xsl:param name="meta" as="element(p:meta)"/>
    <xsl:sequence select="string-join($meta/(p:publisher, p:authority, p:place, p:number)[normalize-space()] ! string-join((@type, .), ' '), '　')"/>
  </xsl:function>

  <!-- Who is on the title page: the authors of the work; of an edition of several works, who made them: each once, the oldest
       first (the order of the commentators), with what he wrote if his label says it: 汉　郑玄　注. -->
  <xsl:function name="fp:authors" as="xs:string*">
    <xsl:param name="meta" as="element(p:meta)"/>
    <xsl:variable name="names" as="xs:string*" select="
        distinct-values(if ($meta/p:author) then $meta/p:author else $meta/p:witness[not(@reported)]/p:author)"/>
    <xsl:for-each select="sort($names, (), function($name) { ($meta/p:speaker[@name eq $name]/count(preceding-sibling::*), 99999)[1] })">
      <xsl:variable name="speaker" as="element(p:speaker)?" select="$meta/p:speaker[@name eq current()][1]"/>
      <xsl:variable name="alone" as="attribute()?" select="$meta/(p:witness | p:source)[p:author = current()][1][count(p:author) eq 1]/@dynasty"/>
      <xsl:sequence select="string-join((($speaker/@dynasty, $alone)[1], ., replace($speaker/@label, '^.*(.)$', '$1')[. = ('注', '註', '疏', '笺', '箋', '解')])[. ne ''], '　')"/>
    </xsl:for-each>
  </xsl:function>

  <!-- A licence in the language of the book: those of Creative Commons by their official names. -->
  <xsl:function name="fp:licence" as="xs:string">
    <xsl:param name="licence" as="xs:string?"/>
    <xsl:variable name="code" as="xs:string" select="'^CC ((BY|SA|NC|ND)(-(SA|NC|ND))*) ([0-9.]+)$'"/>
    <xsl:sequence select="if (not($v:chinese)) then string($licence)
        else if ($licence eq 'not stated') then f:word('book-licence-not-stated')
        else if (matches($licence, $code)) then f:word('book-creative-commons') || ' ' || string-join(tokenize(replace($licence, $code, '$1'), '-')
          ! f:word('book-licence-' || .), '—')
          || ' ' || replace($licence, $code, '$5') || '（' || $licence || '）'
        else string($licence)"/>
  </xsl:function>

  <!-- The script of the book: that of the plan, else that of the language tag (lzh-Hant → hant). -->
  <xsl:function name="fp:script" as="xs:string">
    <xsl:param name="language" as="xs:string?"/>
    <xsl:sequence select="
        if ($script eq 'traditional' or $script eq 'source' and contains($language, 'Hant')) then 'hant' else 'hans'"/>
  </xsl:function>

  <!-- An ISO date as a Typst datetime, from its first day if it names a month or a year; PDF/A wants one. Anything
       else is auto: the fixed date that pdf.py gives instead of a clock's. -->
  <xsl:function name="fp:date" as="xs:string">
    <xsl:param name="date" as="xs:string?"/>
    <xsl:variable name="parts" as="xs:integer*" select="tokenize($date, '-')[. castable as xs:integer] ! xs:integer(.)"/>
    <xsl:sequence select="if (matches($date, '^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$'))
        then 'datetime(year: ' || $parts[1] || ', month: ' || ($parts[2], 1)[1] || ', day: ' || ($parts[3], 1)[1] || ')'
        else 'auto'"/>
  </xsl:function>

</xsl:stylesheet>
