<?xml version="1.0" encoding="UTF-8"?>
<!-- What scripts and the pages of the collection know of a text: the search data of each chapter (scripts, because a page on disk may
     load one), its glosses, its card. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:output name="script" method="text" encoding="UTF-8"/>

  <!-- Context: the chapter. jiaokanFind.push({text, page, title, parts}); each part is a row:
       "s" id title (a section begins), "b" id words (base text), "n" id words speaker sigla, "v" id words sigla lemma class (a variant). -->
  <xsl:template name="m:find" as="text()">
    <xsl:variable name="id" as="xs:string" select="string(../@id)"/>
    <xsl:variable name="rows" as="array(xs:string)*">
      <xsl:apply-templates select="*" mode="mp:find"><xsl:with-param name="from" select="string-length($id) + 2" tunnel="yes"/></xsl:apply-templates>
    </xsl:variable>
    <xsl:variable name="found" as="map(xs:string, item())" select="map{
        'text': $id, 'work': string-join(../meta/(title, subtitle), ' '), 'page': string(@page), 'title': string(@title), 'parts': array{$rows}}"/>
    <xsl:value-of select="'(self.jiaokanFind ||= []).push(' || serialize($found, map{'method': 'json'}) || ');&#10;'"/>
  </xsl:template>

  <xsl:mode name="mp:find" on-no-match="shallow-skip"/>

  <xsl:template match="section" mode="mp:find" as="array(xs:string)*">
    <xsl:param name="from" as="xs:integer" tunnel="yes" required="yes"/>
    <xsl:sequence select="['s', substring(@id, $from), f:called(.)]"/>
    <xsl:apply-templates select="*" mode="mp:find"/>
  </xsl:template>

  <xsl:template match="unit | head | trailer" mode="mp:find" as="array(xs:string)*">
    <xsl:param name="from" as="xs:integer" tunnel="yes" required="yes"/>
    <xsl:sequence select="['b', substring(@id, $from), fp:findable(.)]"/>
    <xsl:apply-templates select="descendant::note[not(ancestor::entry)]" mode="mp:find-note"/>
  </xsl:template>

  <xsl:template match="prose" mode="mp:find" as="array(xs:string)*">
    <xsl:sequence select="['b', '', fp:findable(.)]"/>
    <xsl:apply-templates select="descendant::note" mode="mp:find-note"/>
  </xsl:template>

  <xsl:template match="commentary" mode="mp:find" as="array(xs:string)*">
    <xsl:apply-templates select="descendant::note" mode="mp:find-note"/>
  </xsl:template>

  <xsl:mode name="mp:find-note" on-no-match="fail"/>
  <xsl:template match="note" mode="mp:find-note" as="array(xs:string)*">
    <xsl:param name="from" as="xs:integer" tunnel="yes" required="yes"/>
    <xsl:if test="@id"><xsl:sequence select="['n', substring(@id, $from), fp:findable(.), string(@label), string(@sigla)]"/></xsl:if>
  </xsl:template>

  <xsl:template match="entry" mode="mp:find" as="array(xs:string)*">
    <xsl:param name="from" as="xs:integer" tunnel="yes" required="yes"/>
    <xsl:for-each select="reading[@kind = 'rdg'][not(@empty)]">
      <xsl:sequence select="['v', substring((../@in, ../@id)[1], $from), fp:findable(words), string-join(siglum, f:word('listing')), fp:findable(../reading[@kind = 'lem']/words), string(@class-name)]"/>
    </xsl:for-each>
    <xsl:apply-templates select="entry[@in]" mode="mp:find"/>
  </xsl:template>

  <!-- Notes that gloss words of the text, and those on sounds. -->
  <xsl:function name="f:glosses" as="element(p:note)*">
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:sequence select="$text/chapter//note[@id][not(ancestor::entry)][descendant::span/@role = 'lemma' or @subtype = 'yinyi' or @kind = 'gloss']"/>
  </xsl:function>

  <!-- The glosses of a text, a row for each word: page, id of the note, speaker, word, what is said from there on; without a
       word for notes on sounds. Context: the text. -->
  <xsl:template name="m:glosses" as="text()">
    <xsl:variable name="rows" as="array(xs:string)*">
      <xsl:for-each select="f:glosses(.)">
        <xsl:variable name="note" as="element(p:note)" select="."/>
        <xsl:for-each-group select="(descendant::text() | descendant::mark)[ancestor::note[1] is $note][not(ancestor::other or ancestor::set-aside or ancestor::span/@role = ('punct', 'call'))]"
            group-starting-with="text()[. is (ancestor::span[@role = 'lemma'][1]/descendant::text()[not(ancestor::set-aside)])[1]]">
          <xsl:variable name="lemma" as="element(p:span)?" select="ancestor::span[@role = 'lemma'][1]"/>
          <xsl:if test="$lemma or not($note/descendant::span/@role = 'lemma')">
            <xsl:variable name="said" as="xs:string" select="string-join(current-group() ! (@sign, .)[1])"/>
            <xsl:sequence select="[string($note/ancestor::chapter/@page), string($note/@id), string($note/@label), string-join($lemma ! fp:findable(.)),
                substring($said, 1, 60) || (if (string-length($said) gt 60) then '…' else '')]"/>
          </xsl:if>
        </xsl:for-each-group>
      </xsl:for-each>
    </xsl:variable>
    <xsl:value-of select="'self.jiaokanGlosses = ' || serialize(array{$rows}, map{'method': 'json'}) || ';&#10;'"/>
  </xsl:template>

  <!-- The words of an element as its page shows them, without the notes inside it. -->
  <xsl:function name="fp:findable" as="xs:string">
    <xsl:param name="of" as="element()"/>
    <xsl:value-of><xsl:apply-templates select="$of/node()" mode="mp:findable"/></xsl:value-of>
  </xsl:function>
  <xsl:mode name="mp:findable" on-no-match="text-only-copy"/>
  <xsl:template match="note | notes | other | move | juan | figure | space | span[@role = ('punct', 'call')]" mode="mp:findable"/>

  <!-- The facts about one text for the landing page of the collection. -->
  <xsl:template name="m:card" as="element(p:card)">
    <xsl:param name="text" as="element(p:text)" required="yes"/>
    <p:card id="{$text/@id}" cites="{$text/@cites}" kind="{$text/@kind}" chapters="{count($text/chapter[@kind = 'pian'])}"
        citation="{fp:citation($text/meta)}" witnesses="{$text/meta/witness[not(@reported)]/@siglum}" collates="{$text/meta/witness[not(@reported)]/@id}" counted="{fp:counted($text/chapter)}">
      <xsl:for-each select="'characters', 'notes', 'entries'"><xsl:attribute name="{.}" select="sum($text/chapter/@*[local-name() = current()] ! xs:integer(.))"/></xsl:for-each>
      <xsl:copy-of select="$text/(@xml:lang, @script)"/>
      <xsl:copy-of select="$text/meta/(title | subtitle | description | author | editor | publisher | date | licence)" copy-namespaces="no"/>
      <xsl:for-each select="$text/chapter">
        <p:chapter page="{@page}" title="{@title}" kind="{@kind}"/>
      </xsl:for-each>
      <!-- All names and titles that also have a form in Latin letters. -->
      <xsl:for-each select="distinct-values($text/(meta/(title | (witness, source)/@title), chapter/@title, meta/(speaker | witness | source)/@dynasty, meta/speaker/@label)[normalize-space()])">
        <p:name kind="title"><xsl:value-of select="."/></p:name>
      </xsl:for-each>
      <xsl:for-each select="distinct-values($text/meta/(speaker/@name, author, (witness | source)/author)[normalize-space()])">
        <p:name kind="person"><xsl:value-of select="."/></p:name>
      </xsl:for-each>
    </p:card>
  </xsl:template>
</xsl:stylesheet>
