<?xml version="1.0" encoding="UTF-8"?>
<!-- Notes and inline content of TEI → p: (mode m:resolve). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- White space between blocks is formatting; other text is kept. -->
  <xsl:template match="text()" mode="m:resolve" as="text()?">
    <xsl:param name="normalised" as="map(xs:string, xs:string)" tunnel="yes" select="map{}"/>
    <xsl:value-of select="translate(if (translate(., $f:narrow, '') eq .) then . else ($normalised(generate-id()), string())[1], '&#10;', '')"/>
  </xsl:template>

  <!-- Remarks of the encoders are not part of the edition. -->
  <xsl:template match="comment() | processing-instruction()" mode="m:resolve"/>

  <xsl:template match="tei:note" mode="m:resolve" as="element(p:note)">
    <xsl:variable name="kind" as="xs:string" select="(@type, 'commentary')[1]"/>
    <note kind="{$kind}" place="{(@place, 'inline')[1]}">
      <xsl:if test="@xml:id">
        <xsl:attribute name="id" select="@xml:id"/>
        <xsl:attribute name="ref" select="f:reference(@xml:id)"/>
      </xsl:if>
      <xsl:copy-of select="@subtype, @cert, @rend"/>
      <xsl:call-template name="mp:alike"/>
      <xsl:if test="map:contains($fp:subtypes, string(@subtype))">
        <xsl:attribute name="subtype-name" select="f:word('note-' || @subtype)"/>
      </xsl:if>
      <xsl:call-template name="m:speaker"/>
      <xsl:call-template name="m:carriers"/>
      <xsl:call-template name="m:on"/>
      <!-- After the words that introduce the speaker. -->
      <xsl:variable name="label" as="node()*" select="tei:label[empty(preceding-sibling::text()[normalize-space()])]"/>
      <xsl:variable name="lead" as="node()*" select="if ($label) then node()[. &lt;&lt; $label[1]] | $label[1] else ()"/>
      <xsl:apply-templates select="$lead" mode="m:resolve"/>
      <xsl:call-template name="m:abridged"/>
      <xsl:apply-templates select="node() except $lead" mode="m:resolve"/>
    </note>
  </xsl:template>

  <xsl:variable name="fp:subtypes" as="map(xs:string, xs:boolean)"
      select="map:merge(('zhu', 'shu', 'yinyi', 'an', 'fuzhu', 'shuo') ! map{.: true()})"/>

  <!-- The speaker: speaker, label, name, dynasty. Phonetic glosses and supplements without a speaker go by their kind. -->
  <xsl:template name="m:speaker" as="attribute()*">
    <xsl:variable name="ids" as="xs:string*" select="f:ids(@resp)"/>
    <xsl:variable name="person" as="element()?" select="$ids[1] ! f:target(., current())"/>
    <!-- The note is above the text, unless its words say so themselves. -->
    <xsl:variable name="top" as="xs:string" select="
        if (@place = 'top' and not(node()[1]/descendant-or-self::tei:label)) then f:word('note-top') else ''"/>
    <xsl:choose>
      <xsl:when test="$person/self::tei:person">
        <xsl:attribute name="speaker" select="$ids[1]"/>
        <xsl:attribute name="label" select="f:label($person) || $top"/>
        <xsl:attribute name="name" select="$person/tei:persName[1]"/>
        <xsl:attribute name="dynasty" select="$person/tei:floruit[1]"/>
      </xsl:when>
      <xsl:when test="@type = 'commentary' and @subtype = ('yinyi', 'fuzhu')">
        <xsl:attribute name="label" select="f:word('note-' || @subtype)"/>
      </xsl:when>
      <xsl:otherwise><xsl:attribute name="label" select="$top"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Similar notes that other works have under other names: their ids, and names with sigla. Context: a note. -->
  <xsl:template name="mp:alike" as="attribute()*">
    <xsl:variable name="others" as="element()*" select="f:ids(@corresp) ! f:target(., current())[self::tei:note]"/>
    <xsl:if test="exists($others)">
      <xsl:attribute name="alike" select="$others ! @xml:id"/>
      <xsl:attribute name="alike-pages" separator="|" select="$others ! f:page(.)"/>
      <xsl:attribute name="alike-names" separator="|" select="for $note in $others return
          (string($note/@resp ! f:ids(.)[1] ! f:target(., $note)/tei:persName[1]) || '（' || string-join(f:sigla($note/@source), '、') || '）')"/>
    </xsl:if>
  </xsl:template>

  <!-- The target of a note. -->
  <xsl:template name="m:on" as="attribute()*">
    <xsl:variable name="here" as="element()" select="."/>
    <xsl:for-each select="f:ids(@target)[1]">
      <xsl:attribute name="on" select="."/>
      <xsl:attribute name="on-ref" select="f:reference(.)"/>
      <xsl:attribute name="on-page" select="f:page(f:target(., $here))"/>
    </xsl:for-each>
    <xsl:for-each select="f:ids(@targetEnd)[1]"><xsl:attribute name="on-end" select="."/></xsl:for-each>
  </xsl:template>

  <xsl:template match="tei:noteGrp" mode="m:resolve" as="element(p:notes)">
    <notes place="{(@place, 'inline')[1]}">
      <xsl:copy-of select="@rend"/>
      <xsl:apply-templates select="*" mode="m:resolve"/>
    </notes>
  </xsl:template>

  <xsl:template match="tei:label | tei:ref | tei:quote | (tei:persName | tei:title)[not(@resp)] | tei:pc[not(@n or @type = 'source')] | tei:cit
      | tei:hi | tei:seg[not(@type = 'jing')]" mode="m:resolve" as="element(p:span)">
    <span role="{f:role(.)}">
      <xsl:for-each select="self::tei:hi/@rend, self::tei:seg[@type = 'foreign']/@n"><xsl:attribute name="look" select="translate(., '-', ' ')"/></xsl:for-each>
      <xsl:for-each select="self::tei:ref[@type = 'link']/@target"><xsl:attribute name="address" select="."/></xsl:for-each>
      <xsl:copy-of select="@subtype, @rend[not(parent::tei:hi)], @ref"/>
      <xsl:for-each select="(f:ids(@target), f:ids(@corresp))[1]">
        <xsl:attribute name="to" select="."/>
      </xsl:for-each>
      <xsl:for-each select="f:ids(@targetEnd)[1]"><xsl:attribute name="to-end" select="."/></xsl:for-each>
      <xsl:variable name="here" as="element()" select="."/>
      <xsl:for-each select="self::tei:quote/@source"><xsl:call-template name="mp:quoted-from"/></xsl:for-each>
      <xsl:for-each select="(f:ids(@target), f:ids(@corresp))[1] ! f:target(., $here)">
        <xsl:attribute name="to-page" select="f:page(.)"/>
      </xsl:for-each>
      <xsl:apply-templates select="node()" mode="m:resolve"/>
    </span>
  </xsl:template>

  <!-- The place of the quoted words: id, page and reference; for another text (text:ID.6.4.2) also its name.
       Context: quote/@source. -->
  <xsl:template name="mp:quoted-from" as="attribute()*">
    <xsl:variable name="quote" as="element()" select=".."/>
    <xsl:variable name="own" as="xs:string?" select="f:ids(.)[1]"/>
    <xsl:variable name="other" as="xs:string?" select="tokenize(.)[starts-with(., 'text:')][1] ! substring-after(., ':')"/>
    <xsl:choose>
      <xsl:when test="exists($own)">
        <xsl:attribute name="from" select="$own"/>
        <xsl:attribute name="from-ref" select="f:reference($own)"/>
        <xsl:attribute name="from-page" select="f:page(f:target($own, $quote))"/>
      </xsl:when>
      <xsl:when test="exists($other)">
        <xsl:attribute name="from" select="$other"/>
        <xsl:attribute name="from-ref" select="replace($other, '^([^.]+)\.', '$1:')"/>
        <xsl:attribute name="from-text" select="substring-before($other, '.')"/>
        <xsl:attribute name="from-page" select="tokenize($other, '\.')[2]"/>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <xsl:variable name="fp:roles" as="map(xs:string, xs:string)" select="map{
      'label': 'attribution', 'ref': 'scope', 'quote': 'quote', 'persName': 'person', 'title': 'title',
      'pc': 'punct', 'cit': 'quote', 'hi': 'hi'}"/>

  <!-- Spans with a role. -->
  <xsl:function name="f:role" as="xs:string">
    <xsl:param name="span" as="element()"/>
    <xsl:sequence select="string(
        if ($span/self::tei:quote[@type = 'lemma']) then 'lemma'
        else if ($span/self::tei:ref[@type = ('call', 'link')]) then $span/@type
        else if ($span/self::tei:seg) then $span/@type
        else $fp:roles(local-name($span)))"/>
  </xsl:function>

  <xsl:template match="tei:g" mode="m:resolve" as="element(p:g)">
    <xsl:variable name="code" as="xs:string" select="substring-after(@ref, '#g-')"/>
    <g ref="{substring(@ref, 2)}" code="{$code}" standard="{if (normalize-space(.) and . != '〓') then 'yes' else 'no'}">
      <xsl:value-of select="(string(.)[normalize-space()], '〓')[1]"/>
    </g>
  </xsl:template>

  <xsl:template match="tei:choice" mode="m:resolve" as="element(p:corrected)">
    <corrected sic="{tei:sic}" evidence="{tei:corr/(@evidence, @source)[1]}">
      <xsl:copy-of select="@rend"/>
      <xsl:call-template name="m:responsible"><xsl:with-param name="of" select="tei:corr"/></xsl:call-template>
      <xsl:apply-templates select="tei:corr/node()" mode="m:resolve"/>
    </corrected>
  </xsl:template>

  <!-- Deletions of the source itself. -->
  <xsl:template match="tei:surplus" mode="m:resolve" as="element(p:corrected)">
    <corrected sic="{.}" evidence="" rend="{@rend}"/>
  </xsl:template>

  <xsl:template match="tei:supplied" mode="m:resolve" as="element(p:supplied)">
    <supplied reason="{@reason}" evidence="{(@evidence, @source)[1]}">
      <xsl:if test="$v:facts/@script and matches(@reason, 'lost|illegible|damage|lacuna')"><xsl:attribute name="lost" select="'yes'"/></xsl:if>
      <xsl:copy-of select="@rend"/>
      <xsl:call-template name="m:responsible"><xsl:with-param name="of" select="."/></xsl:call-template>
      <xsl:apply-templates select="node()" mode="m:resolve"/>
    </supplied>
  </xsl:template>

  <!-- The editor responsible for a decision, and the certainty. -->
  <xsl:template name="m:responsible" as="attribute()*">
    <xsl:param name="of" as="element()" required="yes"/>
    <xsl:copy-of select="$of/@cert"/>
    <xsl:if test="$of/@resp"><xsl:attribute name="resp" select="f:ids($of/@resp)"/></xsl:if>
  </xsl:template>

  <xsl:template match="tei:gap" mode="m:resolve" as="element(p:gap)">
    <gap reason="{@reason}"><xsl:copy-of select="@rend"/><xsl:value-of select="(@rend, '〓')[1]"/></gap>
  </xsl:template>

  <xsl:template match="tei:space" mode="m:resolve" as="element(p:space)"><space/></xsl:template>
</xsl:stylesheet>
