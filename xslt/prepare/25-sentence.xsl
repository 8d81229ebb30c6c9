<?xml version="1.0" encoding="UTF-8"?>
<!-- The sentence of an entry, 「賔」，本义作「宾」。异体, as text with marked parts. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Context: the app. -->
  <xsl:template name="m:sentence" as="element(p:sentence)">
    <xsl:variable name="lemma" as="xs:string" select="f:edited(tei:lem)"/>
    <xsl:variable name="notes" as="element()*" select="tei:lem/(tei:note | tei:noteGrp)"/>
    <sentence>
      <xsl:choose>
        <xsl:when test="$lemma ne ''"><xsl:sequence select="fp:quoted($lemma), fp:emended(tei:lem, $lemma)"/></xsl:when>
        <xsl:when test="exists($notes)">
          <xsl:sequence select="fp:quoted(fp:opening($notes[1]))"/>
          <xsl:value-of select="f:word('note-of')"/>
        </xsl:when>
        <!-- Only a witness has the note: there are no words to quote. -->
        <xsl:when test="tei:rdg/(tei:note | tei:noteGrp)"/>
        <xsl:otherwise><xsl:sequence select="fp:place(.)"/></xsl:otherwise>
      </xsl:choose>
      <!-- Those side by side that say the same are named together: 本义、今文作「觚」. -->
      <xsl:for-each-group select="tei:rdg" group-adjacent="
          if (tei:note | tei:noteGrp) then generate-id()
          else (if (@wit) then 'read ' else 'propose ') || f:class(.) || ' ' || f:as-printed(node())">
        <xsl:if test="position() gt 1 or $lemma ne '' or exists($notes) or not(../tei:rdg/(tei:note | tei:noteGrp))">，</xsl:if>
        <xsl:sequence select="
            if (@wit) then (fp:listed(current-group() ! f:sigla(@wit)), fp:said(., $lemma eq '' and empty($notes)))
            else fp:conjectured(current-group(), $lemma eq '')"/>
      </xsl:for-each-group>
      <xsl:text>。</xsl:text>
      <!-- Of what is only proposed the words say all: 衍, 当有. -->
      <xsl:variable name="classes" as="xs:string*" select="distinct-values(tei:rdg[@wit] ! f:class(.))[. ne '']"/>
      <xsl:for-each select="$classes">
        <xsl:if test="position() gt 1"><xsl:value-of select="f:word('listing')"/></xsl:if>
        <class id="{.}"><xsl:value-of select="f:word(.)"/></class>
      </xsl:for-each>
      <xsl:variable name="more" as="xs:string*" select="
          if (tei:lem/@cert = 'low') then 'low' else (),
          if (f:ids(@corresp)) then 'see-above' else if (@xml:id and key('fp:repeats', @xml:id)) then 'below-same' else ()"/>
      <xsl:for-each select="$more">
        <xsl:value-of select="(if (exists($classes) or position() gt 1) then '，' else '') || f:word(.)"/>
      </xsl:for-each>
    </sentence>
  </xsl:template>

  <!-- What the witnesses of an emended lemma print: ，集编原作「鱓」; ，集编原阙. -->
  <xsl:function name="fp:emended" as="node()*">
    <xsl:param name="lemma" as="element(tei:lem)"/>
    <xsl:param name="edited" as="xs:string"/>
    <xsl:variable name="printed" as="xs:string" select="f:as-printed($lemma)"/>
    <!-- In a long passage, quoted by its ends, a character that was mended is told where it is. -->
    <xsl:if test="f:shorten($printed) ne f:shorten($edited)">
      <xsl:text>，</xsl:text>
      <xsl:sequence select="fp:listed(f:sigla($lemma/@wit))"/>
      <xsl:choose>
        <xsl:when test="f:surviving($lemma/node()) eq ''"><xsl:value-of select="f:word('was-lost')"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="f:word('was')"/><xsl:sequence select="fp:quoted($printed)"/></xsl:otherwise>
      </xsl:choose>
    </xsl:if>
  </xsl:function>

  <!-- What a reading has: 作「宾」, 误作「受」, 无, 阙, 有「某」, 二字倒, 移置他处. -->
  <xsl:function name="fp:said" as="node()*">
    <xsl:param name="reading" as="element(tei:rdg)"/>
    <xsl:param name="added" as="xs:boolean"/>
    <xsl:variable name="words" as="xs:string" select="f:as-printed($reading/node())"/>
    <xsl:variable name="notes" as="element()*" select="$reading/(tei:note | tei:noteGrp)"/>
    <xsl:choose>
      <xsl:when test="f:class($reading) eq 'transposition' and $words eq ''"><xsl:value-of select="f:word('moved')"/></xsl:when>
      <xsl:when test="f:class($reading) eq 'transposition' and fp:same-characters($words, f:edited($reading/../tei:lem))">
        <xsl:value-of select="f:word(if (string-length($words) eq 2) then 'two-swapped' else 'swapped')"/>
        <xsl:if test="string-length($words) ne 2"><xsl:sequence select="fp:quoted($words)"/></xsl:if>
      </xsl:when>
      <xsl:when test="f:class($reading) eq 'lacuna' and f:surviving($reading/node()) eq ''">
        <xsl:value-of select="f:word('lost')"/>
      </xsl:when>
      <xsl:when test="$words eq '' and exists($notes)">
        <xsl:value-of select="f:word('adds')"/><xsl:sequence select="fp:quoted(fp:opening($notes[1]))"/>
        <xsl:value-of select="f:word('note-of')"/>
      </xsl:when>
      <xsl:when test="$words eq ''"><xsl:value-of select="f:word('lacks')"/></xsl:when>
      <xsl:otherwise>
        <xsl:value-of select="
            f:word(if ($added) then 'adds'
              else if (f:class($reading) eq 'corruption' and $words ne f:edited($reading/../tei:lem)) then 'has-wrongly'
              else 'has')"/>
        <xsl:sequence select="fp:quoted($words)"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:function>

  <!-- What persons conjecture: 敖继公以为当作「爵」, 敖继公、盛世佐以为衍, 敖继公以为当有「西」. -->
  <xsl:function name="fp:conjectured" as="node()*">
    <xsl:param name="readings" as="element(tei:rdg)+"/>
    <xsl:param name="added" as="xs:boolean"/>
    <xsl:variable name="words" as="xs:string" select="f:as-printed($readings[1]/node())"/>
    <xsl:for-each select="$readings ! f:ids(@resp)[1] ! f:target(., $readings[1])">
      <xsl:if test="position() gt 1"><xsl:value-of select="f:word('listing')"/></xsl:if>
      <xsl:value-of select="string(if (self::tei:person) then (tei:persName, @n)[1] else tei:name)"/>
    </xsl:for-each>
    <xsl:value-of select="f:word(if ($words eq '') then 'thought-superfluous' else if ($added) then 'thought-lacking' else 'thought')"/>
    <xsl:if test="$words ne ''"><xsl:sequence select="fp:quoted($words)"/></xsl:if>
  </xsl:function>

  <!-- Whether two strings are the same characters, in whatever order. -->
  <xsl:function name="fp:same-characters" as="xs:boolean">
    <xsl:param name="one" as="xs:string"/>
    <xsl:param name="other" as="xs:string"/>
    <xsl:sequence select="deep-equal(sort(string-to-codepoints($one)), sort(string-to-codepoints($other)))"/>
  </xsl:function>

  <!-- Where words are added: after the last character before them, or at the head. -->
  <xsl:function name="fp:place" as="node()*">
    <xsl:param name="app" as="element(tei:app)"/>
    <xsl:variable name="before" as="xs:string" select="fp:before($app)"/>
    <xsl:choose>
      <xsl:when test="$before eq ''"><xsl:value-of select="f:word('at-start')"/></xsl:when>
      <xsl:otherwise>
        <xsl:sequence select="fp:quoted(substring($before, string-length($before)))"/>
        <xsl:value-of select="f:word('after')"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:function>

  <!-- Edited text right before an element, out of entries and spans, up to the beginning of its unit or note. -->
  <xsl:function name="fp:before" as="xs:string">
    <xsl:param name="of" as="element()"/>
    <xsl:variable name="near" as="xs:string?"
        select="head((reverse($of/preceding-sibling::node()) ! f:edited(.))[. ne ''])"/>
    <xsl:variable name="parent" as="element()" select="$of/parent::*"/>
    <xsl:sequence select="
        if (exists($near) and not($of/self::tei:lem or $of/self::tei:rdg)) then $near
        else if ($parent[self::tei:lem or self::tei:rdg]) then fp:before($parent/parent::*)
        else if ($parent[self::tei:label or self::tei:ref or self::tei:quote or self::tei:cit or self::tei:persName
            or self::tei:title or self::tei:seg[not(@type = 'jing')]]) then fp:before($parent)
        else ''"/>
  </xsl:function>

  <!-- A note by its first words. -->
  <xsl:function name="fp:opening" as="xs:string">
    <xsl:param name="note" as="element()"/>
    <xsl:sequence select="fp:brief(f:edited(($note/self::tei:noteGrp/tei:note, $note)[1]/node()))"/>
  </xsl:function>

  <xsl:function name="fp:brief" as="xs:string">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="if (string-length($text) le 10) then $text else substring($text, 1, 9) || '…'"/>
  </xsl:function>

  <xsl:function name="fp:quoted" as="node()*">
    <xsl:param name="words" as="xs:string"/>
    <xsl:text>「</xsl:text><q><xsl:value-of select="f:shorten($words)"/></q><xsl:text>」</xsl:text>
  </xsl:function>

  <!-- Sigla with 、 between them. -->
  <xsl:function name="fp:listed" as="node()*">
    <xsl:param name="sigla" as="element(p:siglum)*"/>
    <xsl:for-each select="$sigla">
      <xsl:if test="position() gt 1"><xsl:value-of select="f:word('listing')"/></xsl:if>
      <xsl:sequence select="."/>
    </xsl:for-each>
  </xsl:function>
</xsl:stylesheet>
