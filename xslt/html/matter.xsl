<?xml version="1.0" encoding="UTF-8"?>
<!-- Sections after the chapters of a landing page: witnesses, commentators, principles, citation. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:matter" on-no-match="fail"/>

  <xsl:template match="text" mode="m:matter" as="element()*">
    <xsl:if test="not(meta/stated) and (meta/witness or meta/source)">
      <xsl:variable name="what" as="xs:string" select="if (meta/witness) then 'witnesses' else 'source'"/>
      <section class="witnesses" aria-labelledby="{$what}">
        <h2 id="{$what}"><xsl:value-of select="f:word($what)"/></h2>
        <dl><xsl:apply-templates select="meta/witness[not(@reported)], meta/source" mode="m:matter"/></dl>
        <!-- Reported witnesses are only known by name: a list of names is enough. -->
        <xsl:if test="meta/witness/@reported">
          <p class="reported"><xsl:value-of select="f:word('reported')"/>
            <xsl:for-each select="meta/witness[@reported]"><span><xsl:value-of select="@siglum"/></span></xsl:for-each>
          </p>
        </xsl:if>
      </section>
    </xsl:if>
    <xsl:if test="meta/speaker[@id = current()/chapter/voice/@speaker]">
      <section class="commentators" aria-labelledby="commentators">
        <h2 id="commentators"><xsl:value-of select="f:word('commentators')"/></h2>
        <dl><xsl:apply-templates select="meta/speaker[@id = current()/chapter/voice/@speaker]" mode="m:matter"/></dl>
      </section>
    </xsl:if>
    <xsl:if test="$v:matter"><xsl:apply-templates select="$v:matter" mode="mp:own"/></xsl:if>
    <xsl:if test="meta/principle and $v:principles">
      <section class="principles" aria-labelledby="principles">
        <h2 id="principles"><xsl:value-of select="f:word('principles')"/></h2>
        <dl><xsl:apply-templates select="meta/principle" mode="m:matter"/></dl>
      </section>
    </xsl:if>
    <xsl:for-each select="meta[stated]"><xsl:call-template name="m:stated"/></xsl:for-each>
    <xsl:if test="meta[not(stated)]/resp"><xsl:call-template name="mp:responsible"/></xsl:if>
    <xsl:if test="meta/change"><xsl:call-template name="mp:revised"/></xsl:if>
    <xsl:call-template name="m:cite"/>
  </xsl:template>

  <!-- The changes that people made. Context: the text. -->
  <xsl:template name="mp:revised" as="element()">
    <section class="revised" aria-labelledby="revisions">
      <h2 id="revisions"><xsl:value-of select="f:word('revisions')"/></h2>
      <dl><xsl:for-each select="meta/change">
        <dt><xsl:value-of select="@when"/></dt>
        <dd><xsl:value-of select="."/><xsl:if test="@who ne ''"><xsl:text> </xsl:text><small><xsl:value-of select="@who"/></small></xsl:if></dd>
      </xsl:for-each></dl>
    </section>
  </xsl:template>

  <!-- The editor's own front matter. -->
  <xsl:mode name="mp:own" on-no-match="fail"/>
  <xsl:template match="matter" mode="mp:own" as="element()">
    <section class="own" aria-labelledby="own">
      <h2 id="own"><xsl:value-of select="@title"/></h2>
      <xsl:apply-templates select="piece" mode="mp:own"/>
      <p class="by"><xsl:value-of select="@by"/></p>
    </section>
  </xsl:template>
  <xsl:template match="piece" mode="mp:own" as="element()">
    <xsl:element name="{if (@kind = 'heading') then 'h3' else if (@kind = 'quotation') then 'blockquote' else 'p'}">
      <xsl:if test="@kind = 'item'"><xsl:attribute name="class" select="'item'"/><xsl:value-of select="@sign || '　'[current()/@sign ne '']"/></xsl:if>
      <xsl:apply-templates select="node()" mode="mp:own"/>
    </xsl:element>
  </xsl:template>
  <xsl:template match="em | strong | br" mode="mp:own" as="element()">
    <xsl:element name="{local-name()}"><xsl:apply-templates select="node()" mode="mp:own"/></xsl:element>
  </xsl:template>
  <xsl:template match="link" mode="mp:own" as="element()">
    <a href="{f:safe(@target)}"><xsl:apply-templates select="node()" mode="mp:own"/></a>
  </xsl:template>
  <xsl:template match="text()" mode="mp:own" as="node()*"><xsl:sequence select="f:shown(.)"/></xsl:template>

  <!-- The responsibilities. Context: the text. -->
  <xsl:template name="mp:responsible" as="element()">
    <section class="responsible" aria-labelledby="responsibility">
      <h2 id="responsibility"><xsl:value-of select="f:word('responsibility')"/></h2>
      <dl>
        <!-- A responsibility stated in both languages: each reader sees the own one: encoding 编码. -->
        <xsl:for-each select="meta/resp">
          <xsl:variable name="chinese" as="xs:string" select="replace(@what, '^[ -~]+', '')"/>
          <xsl:variable name="english" as="xs:string" select="normalize-space(substring-before(@what || '|', $chinese || '|'))"/>
          <dt>
            <xsl:if test="$english"><span lang="en"><xsl:value-of select="$english"/></span></xsl:if>
            <xsl:if test="$chinese and ($v:chinese or $english eq '')"><span lang="zh"><xsl:value-of select="$chinese"/></span></xsl:if>
          </dt>
          <dd><xsl:value-of select="."/></dd>
        </xsl:for-each>
      </dl>
    </section>
  </xsl:template>

  <xsl:template match="witness | source" mode="m:matter" as="element()+">
    <dt><xsl:value-of select="(@siglum, @title)[1]"/></dt>
    <dd>
      <cite data-name="{@title}"><xsl:value-of select="@title"/></cite>
      <xsl:for-each select="edition"><span><xsl:value-of select="."/></span></xsl:for-each>
      <span data-name="{@dynasty},{string-join(author, ',')}"><xsl:value-of select="normalize-space(@dynasty || ' ' || string-join(author, f:word('listing')))"/></span>
      <xsl:for-each select="holder"><small><xsl:value-of select="."/></small></xsl:for-each>
      <xsl:for-each select="link[f:safe(.)]"><small><a href="{.}"><xsl:value-of select="replace(., '^https?://([^/]+).*$', '$1')"/></a></small></xsl:for-each>
      <xsl:for-each select="about"><small><xsl:value-of select="."/></small></xsl:for-each>
      <xsl:for-each select="file"><small class="file"><xsl:value-of select="."/></small></xsl:for-each>
    </dd>
  </xsl:template>

  <xsl:template match="speaker" mode="m:matter" as="element()+">
    <xsl:variable name="notes" as="xs:integer" select="sum(../../chapter/voice[@speaker = current()/@id]/@notes ! xs:integer(.))"/>
    <dt><a href="{f:person-page(@id)}.html"><xsl:value-of select="@label"/></a></dt>
    <dd><span data-name="{@dynasty},{@name}"><xsl:value-of select="normalize-space(@dynasty || ' ' || @name)"/></span><small><xsl:value-of select="$notes, f:word('notes')"/></small></dd>
  </xsl:template>

  <xsl:template match="principle" mode="m:matter" as="element()+">
    <dt><xsl:value-of select="f:word(@kind)"/></dt>
    <dd><xsl:value-of select="."/></dd>
  </xsl:template>

  <!-- Context: the text. -->
  <xsl:template name="m:cite" as="element()">
    <xsl:variable name="unit" as="element(p:unit)?" select="(chapter//unit)[1]"/>
    <section class="cite" aria-labelledby="cite">
      <h2 id="cite"><xsl:value-of select="f:word('cite')"/></h2>
      <p class="citation"><xsl:value-of select="fp:citation(meta)"/></p>
      <xsl:choose>
        <xsl:when test="f:safe($v:url)"><p class="address"><a href="{$v:url}"><xsl:value-of select="$v:url"/></a></p></xsl:when>
        <!-- Where somebody else's edition is published its own header says. -->
        <xsl:when test="not(meta/stated)"><p class="address"><xsl:value-of select="f:word('relative')"/></p></xsl:when>
      </xsl:choose>
      <xsl:for-each select="$unit">
        <p>
          <xsl:value-of select="f:word(if (ancestor::text/@cites eq 'chapter section unit') then 'reference-how' else 'reference-as')"/><xsl:text> </xsl:text>
          <a class="id" href="{ancestor::chapter/@page}.html#{@id}"><xsl:value-of select="@ref"/></a>
        </p>
      </xsl:for-each>
      <xsl:for-each select="meta/number">
        <p class="number"><xsl:value-of select="@type"/><xsl:text> </xsl:text><xsl:choose>
          <xsl:when test="f:safe(@href)"><a href="{@href}"><xsl:value-of select="."/></a></xsl:when>
          <xsl:otherwise><xsl:value-of select="."/></xsl:otherwise>
        </xsl:choose></p>
      </xsl:for-each>
      <xsl:if test="meta/authority"><p class="authority"><xsl:value-of select="f:word('authority'), meta/authority"/></p></xsl:if>
      <xsl:if test="meta/funder"><p class="funder"><xsl:value-of select="f:word('funder')"/><xsl:text> </xsl:text><xsl:value-of select="meta/funder" separator="{f:word('listing')}"/></p></xsl:if>
      <xsl:if test="meta/licence[normalize-space() or @target ne '']"><p class="licence">
        <xsl:call-template name="m:licence"><xsl:with-param name="licence" select="meta/licence"/></xsl:call-template>
      </p></xsl:if>
      <xsl:if test="$v:version"><p class="made"><xsl:value-of select="f:word(if (meta/stated) then 'shown-with' else 'made-with'), $v:version"/></p></xsl:if>
    </section>
  </xsl:template>

  <!-- A BibTeX record of a place; the script replaces REFERENCE and ADDRESS. -->
  <xsl:function name="fp:bibtex" as="xs:string">
    <xsl:param name="meta" as="element(p:meta)"/>
    <xsl:param name="id" as="xs:string"/>
    <xsl:variable name="fields" as="xs:string*" select="
        'title = {' || fp:braced(string-join($meta/(title, subtitle), ' ')) || '}',
        $meta/author[1] ! ('author = {' || fp:braced(string-join($meta/author, ' and ')) || '}'),
        $meta/editor[1] ! ('editor = {' || fp:braced(string-join($meta/editor, ' and ')) || '}'),
        $meta/publisher[. ne ''] ! ('publisher = {' || fp:braced(.) || '}'), $meta/date[. ne ''] ! ('year = {' || substring(., 1, 4) || '}', 'date = {' || . || '}'), $meta/place ! ('address = {' || fp:braced(.) || '}'), $meta/number[@type eq 'DOI'][1] ! ('doi = {' || fp:braced(.) || '}'), ('version = {' || $v:state || '}')[$v:state], 'note = {REFERENCE}', 'url = {ADDRESS}'"/>
    <xsl:sequence select="'@book{' || $id || '-KEY' || ',&#10;  ' || string-join($fields, ',&#10;  ') || '&#10;}'"/>
  </xsl:function>
  <!-- The data of the edition for all forms of a reference, as JSON. -->
  <xsl:function name="fp:record" as="xs:string">
    <xsl:param name="meta" as="element(p:meta)"/>
    <xsl:sequence select="serialize(map{
        'title': string-join($meta/(title, subtitle), ' '), 'authors': array{$meta/author/string()}, 'editors': array{$meta/editor/string()},
        'publisher': string($meta/publisher), 'date': string($meta/date), 'version': $v:state, 'language': string($meta/../@xml:lang)}, map{'method': 'json'})"/>
  </xsl:function>
  <xsl:function name="fp:braced" as="xs:string">
    <xsl:param name="words" as="xs:string"/>
    <xsl:sequence select="translate($words, '{}', '')"/>
  </xsl:function>

  <!-- 某甲编《仪礼 校勘样章》，某社，2026-11-20，版次 3f2a91bc。 Sallust, Bellum Iugurthinum, ed. A. Editor, Press, 2026. The state of the text is in it, so that another release can be compared. -->
  <xsl:function name="fp:citation" as="xs:string">
    <xsl:param name="meta" as="element(p:meta)"/>
    <xsl:variable name="editors" as="xs:string?" select="string-join($meta/editor[normalize-space()], f:word('listing'))[. ne '']"/>
    <xsl:variable name="authors" as="xs:string?" select="string-join($meta/author[normalize-space()], f:word('listing'))[. ne '']"/>
    <xsl:sequence select="
        if (not($v:chinese)) then string-join(($authors, string-join($meta/(title, subtitle), ' '), $editors ! (f:word('editor') || ' ' || .),
            ($meta/place, $meta/publisher, $meta/date, fp:state())[normalize-space()]), ', ') || '.'
        else (if ($editors) then $editors || ' ' || f:word('editor') else string($authors))
            || ('《' || string-join($meta/(title, subtitle), ' ') || '》，' || string-join((string-join(($meta/place, $meta/publisher)[normalize-space()], '：'), $meta/date, fp:state())[normalize-space()], '，') || '。')"/>
  </xsl:function>
  <xsl:function name="fp:state" as="xs:string?">
    <xsl:sequence select="$v:state[.] ! (f:word('state') || ' ' || .)"/>
  </xsl:function>
</xsl:stylesheet>
