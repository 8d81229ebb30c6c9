<?xml version="1.0" encoding="UTF-8"?>
<!-- The parts between title page and text: principles, witnesses, contents (mode m:front). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:b="urn:jiaokan:book" xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:front" on-no-match="fail" on-multiple-match="fail"/>

  <!-- Each part as a `p:part` with its id, its title, on which page it opens, if that matters, and its words for Typst. -->
  <xsl:template match="p:meta" mode="m:front" as="element(p:part)*">
    <xsl:apply-templates select="$v:matter" mode="m:own"/>
    <xsl:if test="p:stated and f:part('principles') and not(f:in-letters(.))"><xsl:call-template name="fp:stated"/></xsl:if>
    <xsl:if test="not(p:stated) and f:part('principles') and $v:principles">
      <p:part id="principles" title="{f:word('book-principles')}" to="odd">
        <xsl:text>principles(</xsl:text>
        <!-- How the file is encoded is no matter for readers of a book; a Chinese one has it as 凡例. -->
        <xsl:apply-templates select="p:description, p:principle[$v:chinese and not(f:in-letters(.))]" mode="m:front"/>
        <xsl:call-template name="fp:signs"/>
        <xsl:text>)</xsl:text>
      </p:part>
    </xsl:if>
    <xsl:variable name="listed" as="element(p:witness)*" select="p:witness[not(@printed)]"/>
    <xsl:if test="f:in-letters(.) and $listed[not(@reported)] and f:part('witnesses')">
      <p:part id="witnesses" title="{f:word('book-sigla')}">
        <xsl:if test="p:stated or not(f:part('principles') and $v:principles)"><xsl:attribute name="to" select="'odd'"/></xsl:if>
        <xsl:text>conspectus(</xsl:text>
        <xsl:for-each-group select="$listed" group-adjacent="string(@group)">
          <xsl:text expand-text="yes">({f:typst(current-grouping-key())}, {f:typst((@group-title[. ne current-grouping-key()], '')[1])}, (</xsl:text>
          <xsl:apply-templates select="current-group()" mode="m:front"/>
          <xsl:text>)),</xsl:text>
        </xsl:for-each-group>
        <xsl:for-each select="../p:chapter[1]/@collation[. ne ''][key('f:collated-once', .)]">
          <xsl:text>collation: </xsl:text><xsl:sequence select="f:literal(.)"/>
        </xsl:for-each>
        <xsl:text>)</xsl:text>
      </p:part>
    </xsl:if>
    <xsl:if test="not(p:stated or f:in-letters(.)) and p:witness and f:part('witnesses')">
      <p:part id="witnesses" title="{f:word('book-witnesses')}">
        <xsl:text>witnesses(</xsl:text>
        <xsl:apply-templates select="p:witness[not(@reported)]" mode="m:front"/>
        <xsl:text expand-text="yes">reported: {f:typst-array(p:witness[@reported]/@siglum)})</xsl:text>
      </p:part>
    </xsl:if>
  </xsl:template>

  <!-- What the header of somebody else's file states, and the signs of this book. Context: p:meta. -->
  <xsl:template name="fp:stated" as="element(p:part)">
    <p:part id="stated" title="{f:word('book-stated')}">
      <xsl:if test="not(f:in-letters(.))"><xsl:attribute name="to" select="'odd'"/></xsl:if>
      <xsl:text>stated(</xsl:text>
      <xsl:for-each select="f:stated-parts(.)">
        <xsl:text expand-text="yes">({f:typst(f:stated-label(.))}, ({string-join(f:own-rows(.) ! ('(' || @level || ', ' || f:typst(@label) || ', ' || f:typst(.) || '),'))})),</xsl:text>
      </xsl:for-each>
      <xsl:text expand-text="yes">shown: {f:typst(f:word('book-shown-with-sentence'))}, </xsl:text>
      <xsl:call-template name="fp:signs"/>
      <xsl:text>)</xsl:text>
    </p:part>
  </xsl:template>

  <!-- Context: a part. -->
  <xsl:template match="p:part" mode="m:book">
    <b:part kind="{if (@id = ('speakers', 'persons', 'places', 'works')) then 'index' else 'matter'}" xsl:expand-text="yes">#part({f:typst(@id)}, {f:typst(@title)}, {@to ! ('to: ' || f:typst(.) || ', ')}<xsl:copy-of select="node()"/>)&#10;</b:part>
  </xsl:template>

  <!-- All that the contents list, before any page is set: so Typst knows at once how many pages they take. -->
  <xsl:template name="m:contents">
    <xsl:param name="parts" as="element(p:part)*"/>
    <xsl:param name="back" as="element(p:part)*"/>
    <xsl:if test="f:part('contents')">
      <b:part kind="contents">
      <xsl:text expand-text="yes">#contents({f:typst(f:word('book-contents'))}, (</xsl:text>
      <xsl:value-of select="$parts ! fp:listed(1, @id, '', @title)" separator=""/>
      <xsl:value-of select="descendant::p:chapter/(., descendant::p:section[not(ancestor::p:section)][not(f:is-line(.))])
          ! fp:listed(if (self::p:chapter) then 1 else 2, @id, f:margin(@ref), @title)" separator=""/>
      <xsl:value-of select="$back ! fp:listed(1, @id, '', @title)" separator=""/>
      <xsl:text>))&#10;</xsl:text>
      </b:part>
    </xsl:if>
  </xsl:template>

  <!-- What the editor wrote himself. -->
  <xsl:mode name="m:own" on-no-match="fail"/>
  <xsl:template match="p:matter" mode="m:own">
    <p:part id="own" title="{@title}" to="odd">
      <xsl:text expand-text="yes">own({f:typst(@by)}</xsl:text>
      <xsl:for-each select="p:piece">
        <xsl:text expand-text="yes">, ({f:typst(@kind)}, {f:typst(@sign)}, {{</xsl:text>
        <xsl:apply-templates select="node()" mode="m:own"/>
        <xsl:text>})</xsl:text>
      </xsl:for-each>
      <xsl:text>)</xsl:text>
    </p:part>
  </xsl:template>
  <xsl:template match="p:em | p:strong" mode="m:own">
    <xsl:text expand-text="yes">{if (self::p:em) then 'emph' else 'strong'}({{</xsl:text>
    <xsl:apply-templates select="node()" mode="m:own"/>
    <xsl:text>});</xsl:text>
  </xsl:template>
  <xsl:template match="p:link" mode="m:own">
    <xsl:text expand-text="yes">link({f:typst(@target)}, {{</xsl:text>
    <xsl:apply-templates select="node()" mode="m:own"/>
    <xsl:text>});</xsl:text>
  </xsl:template>
  <xsl:template match="p:br" mode="m:own"><xsl:text>linebreak();</xsl:text></xsl:template>
  <xsl:template match="text()" mode="m:own"><xsl:text expand-text="yes">{f:typst(.)};</xsl:text></xsl:template>

  <!-- A line of the contents: its level, the id where it leads, its reference, its title. -->
  <xsl:function name="fp:listed" as="xs:string">
    <xsl:param name="level" as="xs:integer"/>
    <xsl:param name="id" as="xs:string"/>
    <xsl:param name="reference" as="xs:string"/>
    <xsl:param name="title" as="xs:string"/>
    <xsl:sequence select="'(' || $level || ', ' || f:typst($id) || ', ' || f:typst($reference) || ', ' || f:typst($title) || '),'"/>
  </xsl:function>

  <xsl:template match="p:description | p:principle" mode="m:front">
    <xsl:text>{</xsl:text>
    <xsl:sequence select="f:with-sigla(f:principle-label(.) || ., root(.))"/>
    <xsl:text>}, </xsl:text>
  </xsl:template>

  <!-- The signs that this book uses. -->
  <xsl:template name="fp:signs">
    <xsl:text>signs: (</xsl:text>
    <xsl:for-each select="f:signs(.., map{'foot': 'book-place-foot-of-page', 'section': 'book-place-end-of-section', 'chapter': 'book-place-end-of-chapter'}($v:apparatus))">
      <xsl:text expand-text="yes">({f:typst(@sign)}, {f:typst(.)}),</xsl:text>
    </xsl:for-each>
    <!-- The references in the margin, with an example of this book. -->
    <xsl:for-each select="(..//p:unit[not(f:has-verse-number(.))]/@ref)[1]">
      <xsl:text expand-text="yes">({f:typst(f:margin(.))}, {f:typst(f:word('book-sign-margin', map{'units': f:counted(root(.)/p:text)}))}),</xsl:text>
    </xsl:for-each>
    <xsl:if test="..//p:chapter[f:partly(.)]"><xsl:text expand-text="yes">("━", {f:typst(f:word('book-sign-coverage'))}),</xsl:text></xsl:if>
    <xsl:text>)</xsl:text>
  </xsl:template>

  <xsl:template match="p:witness" mode="m:front">
    <xsl:text expand-text="yes">(siglum: {f:typst(@siglum)}, title: {f:typst(@title)}, by: {f:typst(f:makers(.))}, about: {f:typst(string-join(p:about, '　'))}),</xsl:text>
  </xsl:template>

</xsl:stylesheet>
