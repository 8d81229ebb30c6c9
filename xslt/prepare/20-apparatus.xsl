<?xml version="1.0" encoding="UTF-8"?>
<!-- app, lem, rdg → p:app with its p:entry; differences of introduction and of place, which are not variants. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The citations of our lists: the category of the list, then the pair of graphs. -->
  <xsl:key name="fp:cited" match="tei:taxonomy[@xml:id = 'lists']/tei:category/tei:catDesc"
      use="../@xml:id || ' ' || substring-before(., ' ')"/>

  <!-- The wording of an entry: its sentence and the editor's comments, from the parameter told. -->
  <xsl:key name="fp:told" match="p:entry | p:move | p:chapter" use="@id"/>

  <!-- Entries by the one whose sentence reports them. -->
  <xsl:key name="fp:in" match="p:entry[@in]" use="@in"/>

  <xsl:key name="fp:abridged" match="p:abridged" use="@note"/>

  <xsl:function name="fp:told" as="element()">
    <xsl:param name="id" as="xs:string"/>
    <xsl:sequence select="($v:told ! key('fp:told', $id, .),
        error(xs:QName('e:TOLD'), 'the parameter told has no sentence for the entry ' || $id))[1]"/>
  </xsl:function>

  <!-- A difference that the 校勘记 does not report as an entry: a slip of a transcription, words omitted from a note that
       a work abridges, or one that the sentence of another entry reports. -->
  <xsl:function name="fp:untold" as="xs:boolean">
    <xsl:param name="app" as="element(tei:app)"/>
    <xsl:sequence select="fp:told($app/@xml:id) ! (empty(p:sentence) or exists(@in))"/>
  </xsl:function>

  <!-- The rank of a class, 0 to 3; 0 for a lemma, which has no class. -->
  <xsl:function name="f:rank" as="xs:integer" visibility="public">
    <xsl:param name="class" as="xs:string"/>
    <xsl:sequence select="if ($class eq '') then 0 else ($v:ranks($class), error(xs:QName('e:CLASS'), 'unknown class of variant ' || $class))[1]"/>
  </xsl:function>

  <!-- The class of a reading: #var-graphic → graphic; empty for a lemma. -->
  <xsl:function name="f:class" as="xs:string">
    <xsl:param name="reading" as="element()"/>
    <xsl:sequence select="string(f:ids($reading/@ana)[starts-with(., 'var-')][1] ! substring-after(., 'var-'))"/>
  </xsl:function>

  <!-- What a reading's class rests on: pointers with a prefix. Files of others and earlier ones of ours have all in @source. -->
  <xsl:function name="fp:judgement" as="xs:string*">
    <xsl:param name="reading" as="element(tei:rdg)"/>
    <xsl:sequence select="$reading/(@source, @corresp) ! tokenize(.)[not(starts-with(., '#'))]"/>
  </xsl:function>

  <!-- The citations of our lists for a reading: for its words, or for each graph that differs from the lemma's. -->
  <xsl:function name="fp:rows" as="xs:string*">
    <xsl:param name="reading" as="element(tei:rdg)"/>
    <xsl:variable name="own" as="xs:string" select="string($reading)"/>
    <xsl:variable name="lemma" as="xs:string" select="string($reading/../tei:lem)"/>
    <xsl:variable name="pairs" as="xs:string*" select="$lemma || '/' || $own, if (string-length($own) ne string-length($lemma)) then ()
        else (1 to string-length($own)) ! (substring($lemma, ., 1) || '/' || substring($own, ., 1))"/>
    <xsl:sequence select="distinct-values(for $list in fp:judgement($reading)[starts-with(., 'list:')], $pair in $pairs
        return key('fp:cited', translate($list, ':', '-') || ' ' || $pair, root($reading)) ! substring-after(., ' '))"/>
  </xsl:function>

  <xsl:template match="tei:app" mode="m:resolve" as="element(p:app)">
    <xsl:variable name="lemma" as="node()*"><xsl:apply-templates select="tei:lem/node()" mode="m:resolve"/></xsl:variable>
    <xsl:variable name="told" as="element(p:entry)" select="fp:told(@xml:id)"/>
    <xsl:variable name="class" as="xs:string" select="$told/@class"/>
    <xsl:variable name="rank" as="xs:integer" select="($told/@rank/xs:integer(.), f:rank($class))[1]"/>
    <app id="{@xml:id}" class="{$class}" rank="{$rank}">
      <xsl:if test="fp:rounds-notes(.)">
        <xsl:attribute name="block" select="'yes'"/>
      </xsl:if>
      <xsl:call-template name="mp:entry">
        <xsl:with-param name="told" select="$told"/>
        <xsl:with-param name="rank" select="$rank"/>
        <xsl:with-param name="lemma" select="$lemma"/>
      </xsl:call-template>
      <xsl:sequence select="if (fp:rounds-notes(.)) then fp:as-notes($lemma) else $lemma"/>
    </app>
  </xsl:template>

  <!-- The entry of an app, with those that its sentence reports. Context: the app. -->
  <xsl:template name="mp:entry" as="element(p:entry)">
    <xsl:param name="told" as="element(p:entry)" required="yes"/>
    <xsl:param name="rank" as="xs:integer" required="yes"/>
    <xsl:param name="lemma" as="node()*" required="yes"/>
    <entry id="{@xml:id}" ref="{f:reference(@xml:id)}" class="{$told/@class}" rank="{$rank}"
        unit="{(ancestor::*[self::tei:note or self::tei:lg or self::tei:seg[@type = 'jing']][1]/@xml:id,
            f:ids(.//tei:note[1]/@target))[1]}">
      <xsl:variable name="here" as="element()" select="."/>
      <xsl:for-each select="$told/@same-as">
        <xsl:attribute name="same-as" select="."/>
        <xsl:attribute name="same-page" select="f:page(f:target(., $here))"/>
      </xsl:for-each>
      <xsl:copy-of select="$told/(@again, @in, @stated)"/>
      <xsl:copy-of select="$told/p:sentence" copy-namespaces="no"/>
      <xsl:for-each select="tei:note">
        <xsl:variable name="number" as="xs:integer" select="position()"/>
        <xsl:if test="$told/p:comment[$number]">
          <comment><xsl:call-template name="m:responsible"><xsl:with-param name="of" select="."/></xsl:call-template>
            <xsl:value-of select="if (ends-with(($told/(p:sentence, p:comment[position() lt $number]))[last()], '.')) then replace($told/p:comment[$number], '^\.', '') else $told/p:comment[$number]"/>
          </comment>
        </xsl:if>
      </xsl:for-each>
      <reading kind="lem" class="" class-name="" rank="0">
        <xsl:call-template name="m:reading"><xsl:with-param name="words" select="$lemma"/></xsl:call-template>
      </reading>
      <xsl:apply-templates select="tei:rdg" mode="m:resolve"/>
      <!-- Entries inside a reading, which have no place in the printed text. -->
      <xsl:variable name="within" as="element()*">
        <xsl:apply-templates select="tei:rdg//tei:app[tei:rdg][not(@type)][not(fp:untold(.))][ancestor::tei:rdg[1]/.. is current()]" mode="m:resolve"/>
      </xsl:variable>
      <xsl:sequence select="$within/p:entry"/>
      <xsl:call-template name="mp:reported-here"><xsl:with-param name="by" select="string(@xml:id)"/></xsl:call-template>
    </entry>
  </xsl:template>

  <!-- The entries that the sentence of an entry reports. Context: an element of the text. -->
  <xsl:template name="mp:reported-here" as="element(p:entry)*">
    <xsl:param name="by" as="xs:string" required="yes"/>
    <xsl:variable name="here" as="element()" select="."/>
    <xsl:for-each select="$v:told ! key('fp:in', $by, .)">
      <xsl:variable name="inside" as="element(p:entry)" select="."/>
      <xsl:for-each select="f:target(@id, $here)">
        <xsl:call-template name="mp:entry">
          <xsl:with-param name="told" select="$inside"/>
          <xsl:with-param name="rank" select="f:rank($inside/@class)"/>
          <xsl:with-param name="lemma" as="node()*"><xsl:apply-templates select="tei:lem/node()" mode="m:resolve"/></xsl:with-param>
        </xsl:call-template>
      </xsl:for-each>
    </xsl:for-each>
  </xsl:template>

  <!-- Whether an entry contains whole notes, outside of notes and base text; or, without words, where such notes are. -->
  <xsl:function name="fp:rounds-notes" as="xs:boolean">
    <xsl:param name="app" as="element(tei:app)"/>
    <xsl:sequence select="exists($app / (parent::tei:div | parent::tei:ab | * / (tei:note, tei:noteGrp)))
        and not($app / (ancestor::tei:note | ancestor::tei:seg))"/>
  </xsl:function>

  <!-- Words beside notes in such an entry: a note without a speaker, so that they are set like notes. -->
  <xsl:function name="fp:as-notes" as="node()*">
    <xsl:param name="lemma" as="node()*"/>
    <xsl:for-each-group select="$lemma" group-adjacent="exists(self::text() | self::p:corrected | self::p:supplied | self::p:gap | self::p:span)">
      <xsl:choose>
        <xsl:when test="current-grouping-key() and normalize-space(string-join(current-group() / (., @sic)))">
          <note kind="commentary" label=""><xsl:sequence select="current-group()"/></note>
        </xsl:when>
        <xsl:otherwise><xsl:sequence select="current-group()"/></xsl:otherwise>
      </xsl:choose>
    </xsl:for-each-group>
  </xsl:function>

  <!-- A difference that is not reported is kept beside the words of the edition. -->
  <xsl:template match="tei:app[not(@type)][tei:rdg][fp:untold(.)]" mode="m:resolve" as="node()*" priority="1">
    <xsl:choose>
      <!-- Whole notes are printed unchanged: each says itself which witnesses have it. -->
      <xsl:when test="exists((tei:lem | tei:rdg)//(tei:note | tei:noteGrp)[not(parent::tei:app)])"><xsl:apply-templates select="tei:lem/node()" mode="m:resolve"/></xsl:when>
      <xsl:otherwise><xsl:call-template name="mp:kept-beside"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A sentence at the beginning of a note that works give only in part: it sums up entries, and is not counted as one.
       Context: a note. -->
  <xsl:template name="m:abridged" as="element(p:app)?">
    <xsl:variable name="note" as="element()" select="."/>
    <xsl:for-each select="$v:told ! key('fp:abridged', string($note/@xml:id), .)">
      <xsl:variable name="rank" as="xs:integer" select="f:rank(@class)"/>
      <xsl:variable name="id" as="xs:string" select="@id"/>
      <app id="{@id}" class="{@class}" rank="{$rank}">
        <entry id="{@id}" ref="{f:reference($note/@xml:id)}" class="{@class}" rank="{$rank}" unit="{$note/@xml:id}" sums="yes">
          <xsl:copy-of select="p:sentence" copy-namespaces="no"/>
          <reading kind="lem" class="" class-name="" rank="0"><words/></reading>
          <reading kind="rdg" class="{@class}" class-name="{f:word('variant-' || @class)}" rank="{$rank}" empty="yes">
            <xsl:for-each select="distinct-values(p:sentence/p:siglum/@id)">
              <siglum id="{.}"><xsl:value-of select="f:siglum-of(.)"/></siglum>
            </xsl:for-each>
            <words/>
          </reading>
          <xsl:for-each select="$note"><xsl:call-template name="mp:reported-here"><xsl:with-param name="by" select="$id"/></xsl:call-template></xsl:for-each>
        </entry>
      </app>
    </xsl:for-each>
  </xsl:template>

  <!-- A pointer into a book of collation notes by the book's title: w:zhengwu.6.1.3 is 《監本正誤》6.1.3. -->
  <xsl:function name="fp:cited" as="xs:string">
    <xsl:param name="word" as="xs:string"/>
    <xsl:param name="here" as="element()"/>
    <xsl:variable name="book" select="root($here)/tei:TEI/tei:teiHeader/tei:fileDesc/tei:sourceDesc/tei:bibl
        [@xml:id = substring-before(substring-after($word, 'w:'), '.')]" as="element()?"/>
    <xsl:sequence select="if ($book)
        then '《' || $book/tei:title[1] || '》' || substring-after($word, '.') else $word"/>
  </xsl:function>

  <!-- Without a different witness this is text, not an entry. -->
  <xsl:template match="tei:app[not(tei:rdg)]" mode="m:resolve" as="node()*" priority="3">
    <xsl:apply-templates select="tei:lem/node()" mode="m:resolve"/>
  </xsl:template>

  <xsl:template match="tei:rdg" mode="m:resolve" as="element(p:reading)">
    <xsl:variable name="class" as="xs:string" select="f:class(.)"/>
    <reading kind="rdg" class="{$class}" rank="{f:rank($class)}" class-name="{if ($class) then f:word('variant-' || $class) else ''}">
      <xsl:variable name="here" as="element()" select="."/>
      <!-- A pointer to a note names the remark that reports the reading; anything else is evidence for the class. -->
      <xsl:for-each select="f:ids(@source)[1]">
        <xsl:attribute name="remark" select="."/>
        <xsl:attribute name="remark-page" select="f:page(f:target(., $here))"/>
      </xsl:for-each>
      <xsl:variable name="judgement" as="xs:string*" select="fp:judgement(.)"/>
      <xsl:if test="exists($judgement) and empty(f:ids(@source))">
        <xsl:variable name="books" as="xs:string*" select="$judgement[starts-with(., 'w:')]"/>
        <xsl:attribute name="evidence" select="if (exists($books)) then $books ! fp:cited(., $here) else $judgement"/>
      </xsl:if>
      <xsl:variable name="rows" as="xs:string*" select="fp:rows(.)"/>
      <xsl:if test="exists($rows)"><xsl:attribute name="citation" select="$rows" separator="；"/></xsl:if>
      <xsl:variable name="words" as="node()*"><xsl:apply-templates select="node()" mode="m:resolve"/></xsl:variable>
      <xsl:call-template name="m:reading">
        <xsl:with-param name="of" select="."/>
        <xsl:with-param name="words" select="$words"/>
      </xsl:call-template>
    </reading>
  </xsl:template>

  <!-- The common parts of lemma and readings: editor, sigla, words without ids. -->
  <xsl:template name="m:reading" as="node()*">
    <xsl:param name="of" as="element()?" select="tei:lem"/>
    <xsl:param name="words" as="node()*" required="yes"/>
    <xsl:if test="$of"><xsl:call-template name="m:responsible"><xsl:with-param name="of" select="$of"/></xsl:call-template></xsl:if>
    <xsl:if test="empty($words)"><xsl:attribute name="empty" select="'yes'"/></xsl:if>
    <xsl:for-each select="$of/@varSeq"><xsl:attribute name="order" select="."/></xsl:for-each>
    <xsl:sequence select="f:sigla($of/@wit)"/>
    <words><xsl:apply-templates select="$words" mode="m:words"/></words>
  </xsl:template>

  <!-- The sigla of the witnesses named by pointers. -->
  <xsl:function name="f:sigla" as="element(p:siglum)*">
    <xsl:param name="pointers" as="attribute()?"/>
    <xsl:for-each select="f:ids($pointers)">
      <siglum id="{.}"><xsl:value-of select="f:siglum-of(.)"/></siglum>
    </xsl:for-each>
  </xsl:function>

  <!-- Words quoted in an entry, without ids, which are in the text already; of inner entries, what each witness has. -->
  <xsl:mode name="m:words" on-no-match="shallow-copy"/>
  <xsl:template match="p:app" mode="m:words" as="element(p:accidental)">
    <accidental>
      <xsl:apply-templates select="node() except p:entry" mode="m:words"/>
      <xsl:for-each select="p:entry/p:reading[@kind = 'rdg']">
        <other sigla="{p:siglum => string-join(f:word('listing'))}" wits="{p:siglum/@id}"><xsl:copy-of select="p:words/node()"/></other>
      </xsl:for-each>
    </accidental>
  </xsl:template>
  <xsl:template match="p:note/@id | p:note/@ref" mode="m:words"/>
  <xsl:template match="p:note[@kind = 'commentary']" mode="m:words">
    <xsl:value-of select="fp:brief(string-join(.//text()[not(ancestor::p:entry | ancestor::p:other)]))"/>
  </xsl:template>
  <xsl:template match="p:move" mode="m:words"/>

  <!-- The first words of a note. -->
  <xsl:function name="fp:brief" as="xs:string">
    <xsl:param name="text" as="xs:string"/>
    <xsl:sequence select="if (string-length($text) le 10) then $text else substring($text, 1, 9) || '…'"/>
  </xsl:function>

  <!-- Works introduce the same note in different words, or differ only in punctuation and spacing: the edition's form is
       printed, the others are kept beside it. So is the rest of an entry that begins in an earlier unit, whose sentence says how far it goes. -->
  <xsl:template match="tei:app[@type = ('attribution', 'accidental', 'continued')]" mode="m:resolve" as="element()" priority="2">
    <xsl:call-template name="mp:kept-beside"/>
  </xsl:template>

  <xsl:template name="mp:kept-beside" as="element()">
    <xsl:element name="{(@type[. eq 'attribution'], 'accidental')[1]}">
      <xsl:apply-templates select="tei:lem/node()" mode="m:resolve"/>
      <xsl:for-each select="tei:rdg">
        <other sigla="{f:sigla(@wit) => string-join(f:word('listing'))}" wits="{f:ids(@wit)}">
          <xsl:apply-templates select="node()" mode="m:resolve"/>
        </other>
      </xsl:for-each>
    </xsl:element>
  </xsl:template>

  <!-- A witness has the following text elsewhere: reported once for a passage. -->
  <xsl:template match="tei:app[@type = 'move']" mode="m:resolve" as="element(p:move)*" priority="2">
    <xsl:for-each select="tei:rdg[f:class(.) = 'transposition']">
      <xsl:variable name="here" as="element()" select="."/>
      <xsl:variable name="id" as="xs:string" select="../@xml:id || (if (position() gt 1) then '.' || position() else '')"/>
      <xsl:variable name="told" as="element(p:move)?" select="$v:told ! key('fp:told', $id, .)"/>
      <move id="{$id}" witness="{f:ids(@wit)}" siglum="{f:sigla(@wit) => string-join(f:word('listing'))}">
        <xsl:if test="$told"><xsl:attribute name="said" select="$told/p:sentence"/></xsl:if>
        <xsl:for-each select="f:ids(@corresp)[1]">
          <xsl:attribute name="to" select="."/>
          <xsl:attribute name="to-ref" select="f:reference(.)"/>
          <xsl:attribute name="to-page" select="f:page(f:target(., $here))"/>
        </xsl:for-each>
      </move>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
