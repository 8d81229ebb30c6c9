<?xml version="1.0" encoding="UTF-8"?>
<!-- The parts before and after the text of a traditional book (modes m:front, m:back). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:v="urn:jiaokan:variables" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:front" on-no-match="fail" on-multiple-match="fail"/>
  <xsl:mode name="m:back" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:function name="fp:part" as="xs:string">
    <xsl:param name="id" as="xs:string"/>
    <xsl:param name="title" as="xs:string"/>
    <xsl:sequence select="string-join((f:line('leaf'), f:division(1, $id, '', f:word($title)), f:column('head'), f:line(('title', f:word($title)))))"/>
  </xsl:function>

  <xsl:template match="p:meta" mode="m:front">
    <xsl:for-each select="$v:matter">
      <xsl:value-of select="f:line('leaf'), f:division(1, 'own', '', @title), f:column('head'), f:line(('title', @title))" separator=""/>
      <xsl:for-each select="p:piece">
        <xsl:value-of select="if (@kind = 'heading') then f:column('rule', 0, 0) else f:column('rule', 1, 1), f:line(('title', @sign || .))" separator=""/>
      </xsl:for-each>
      <xsl:value-of select="f:column('end', 0, 0), f:line(('title', @by))" separator=""/>
    </xsl:for-each>
    <xsl:if test="p:stated and f:part('principles')">
      <xsl:value-of select="fp:part('stated', 'book-stated')"/>
      <xsl:for-each select="f:stated-parts(.)">
        <xsl:value-of select="f:column('rule', 0, 1), f:line(('title', f:stated-label(.)))" separator=""/>
        <xsl:for-each select="f:own-rows(.)">
          <xsl:value-of select="f:column('rule', 1, 2), f:line(('entry', string-join((@label, .)[. ne ''], '　')))" separator=""/>
        </xsl:for-each>
      </xsl:for-each>
      <xsl:value-of select="f:column('rule', 0, 1), f:line(('entry', f:word('book-shown-with-sentence')))" separator=""/>
    </xsl:if>
    <xsl:if test="f:part('principles') and $v:principles">
      <xsl:value-of select="fp:part('principles', if (p:stated) then 'book-signs' else 'book-principles')"/>
      <xsl:apply-templates select="p:description[not(../p:stated)], p:principle" mode="m:front"/>
      <xsl:for-each select="f:signs(.., if ($v:apparatus eq 'section') then 'book-place-end-of-section' else 'book-place-end-of-chapter')">
        <xsl:value-of select="f:column('rule', 0, 1), f:line(('title', f:word('book-list-item'))), f:line(('entry', @sign || '　' || .))" separator=""/>
      </xsl:for-each>
    </xsl:if>
    <xsl:if test="not(p:stated) and f:part('witnesses') and p:witness[not(@reported)]">
      <xsl:value-of select="fp:part('witnesses', 'book-witnesses')"/>
      <xsl:apply-templates select="p:witness[not(@reported)]" mode="m:front"/>
      <xsl:if test="p:witness[@reported]">
        <xsl:value-of select="f:column('rule', 0, 1), f:line(('entry', f:word('book-reported-list', map{'sigla': string-join(p:witness[@reported]/@siglum, f:word('listing'))})))" separator=""/>
      </xsl:if>
    </xsl:if>
    <xsl:if test="f:part('contents')">
      <xsl:value-of select="fp:part('contents', 'book-contents'), f:line('contents')" separator=""/>
    </xsl:if>
  </xsl:template>

  <!-- An index, if there is anything in it: each group begins a column, its entries follow each other. -->
  <xsl:function name="fp:index" as="xs:string">
    <xsl:param name="id" as="xs:string"/>
    <xsl:param name="title" as="xs:string"/>
    <xsl:param name="groups" as="element(p:group)*"/>
    <xsl:value-of>
      <xsl:if test="f:part($id) and $groups">
        <xsl:value-of select="fp:part($id, $title)"/>
        <xsl:for-each select="$groups">
          <xsl:if test="@name ne ''"><xsl:value-of select="f:column('group', 0, 0), f:line(('faint', @name))" separator=""/></xsl:if>
          <xsl:for-each select="p:row">
            <xsl:value-of select="f:column(if (position() eq 1 and ../@name eq '') then 'group' else 'index', 0, 1), f:line(('entry', @head)),
                f:line(('faint', '　' || @also))[current()/@also ne ''], f:line(('faint', '　')), f:line(('leaves', $id, @key))" separator=""/>
          </xsl:for-each>
        </xsl:for-each>
      </xsl:if>
    </xsl:value-of>
  </xsl:function>

  <!-- Each rule begins with 一, by tradition. -->
  <xsl:template match="p:description | p:principle" mode="m:front">
    <xsl:value-of select="f:column('rule', 0, 1), f:line(('title', f:word('book-list-item') || f:principle-label(.) || .))" separator=""/>
  </xsl:template>

  <xsl:template match="p:witness" mode="m:front">
    <xsl:value-of select="f:column('rule', 0, 1), f:line(('title', @title)),
        f:line(('entry', string-join((f:makers(.)[.], f:word('book-called') || '「' || @siglum || '」。', p:about), '　')))" separator=""/>
  </xsl:template>

  <xsl:template match="p:meta" mode="m:back">
    <xsl:value-of select="fp:index('speakers', 'book-commentators', f:speaker-groups(..)), fp:index('persons', 'book-persons', f:index-groups(.., 'persons')),
        fp:index('places', 'book-places', f:index-groups(.., 'places')), fp:index('works', 'book-works-cited', f:index-groups(.., 'works'))" separator=""/>
    <xsl:if test="f:part('glyphs') and p:glyph">
      <xsl:value-of select="fp:part('glyphs', 'book-lost-graphs')"/>
      <xsl:for-each select="p:glyph">
        <xsl:value-of select="f:column('rule', 0, 1), f:line(('title', f:resolved(.))), f:line(('code', 'U+' || substring-after(@id, 'g-'))), f:line(('entry', '　' || f:places(.) || @description))" separator=""/>
      </xsl:for-each>
    </xsl:if>
    <xsl:variable name="slips" as="element(p:slip)*" select="f:slips(..)"/>
    <xsl:if test="f:part('slips') and $slips">
      <xsl:value-of select="fp:part('slips', 'book-slips')"/>
      <xsl:for-each select="$slips">
        <xsl:value-of select="f:column('rule', 0, 1), f:line(('entry', f:upright(@ref) || '　' || .))" separator=""/>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

</xsl:stylesheet>
