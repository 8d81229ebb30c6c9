<?xml version="1.0" encoding="UTF-8"?>
<!-- Divisions and blocks of TEI → p: (mode m:resolve). An element without a template stops the build with its name. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:resolve" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="/" mode="m:resolve" as="element(p:text)">
    <xsl:apply-templates select="*" mode="m:resolve"/>
  </xsl:template>

  <xsl:template match="tei:TEI" mode="m:resolve" as="element(p:text)">
    <text id="{@xml:id}" kind="{if (f:encoding(tei:teiHeader)/tei:variantEncoding) then 'critical' else 'reading'}">
      <xsl:copy-of select="@xml:lang, $v:facts/(@script, @direction)"/>
      <xsl:attribute name="cites" select="
          let $units := f:encoding(tei:teiHeader)/tei:refsDecl//tei:citeStructure/@unit[. ne 'text'] return if ($units) then $units else ('chapter', 'section', 'unit')"/>
      <xsl:call-template name="m:meta"><xsl:with-param name="header" select="tei:teiHeader"/></xsl:call-template>
      <xsl:apply-templates select="tei:text" mode="m:resolve"/>
    </text>
  </xsl:template>

  <!-- Translations, by language and basis. -->
  <xsl:template match="tei:back" mode="m:resolve" as="element(p:translation)*">
    <xsl:for-each select="tei:div">
      <translation xml:lang="{@xml:lang}" name="{if (tei:head ne '') then tei:head else f:word('translation')}" resp="{f:ids(@resp)}">
        <xsl:for-each select="(@ana, @source)[1]"><xsl:attribute name="basis" select="normalize-space(key('fp:basis', f:ids(.)))"/></xsl:for-each>
        <xsl:for-each select="tei:p">
          <xsl:variable name="units" as="xs:string+" select="f:ids(@corresp)"/>
          <of id="{$units[1]}" ref="{f:reference($units[1])}">
            <xsl:if test="$units[2]"><xsl:attribute name="through" select="tail($units)"/></xsl:if>
            <xsl:value-of select="."/>
          </of>
        </xsl:for-each>
      </translation>
    </xsl:for-each>
  </xsl:template>
  <xsl:key name="fp:basis" match="tei:category" use="@xml:id"/>

  <xsl:template match="tei:text | tei:front | tei:body" mode="m:resolve" as="element()*">
    <xsl:apply-templates select="*" mode="m:resolve"/>
  </xsl:template>

  <xsl:template match="tei:div" mode="m:resolve" as="element()">
    <xsl:element name="{if (parent::tei:div) then 'section' else 'chapter'}">
      <xsl:attribute name="id" select="@xml:id"/>
      <xsl:attribute name="n" select="@n"/>
      <xsl:attribute name="kind" select="@type"/>
      <xsl:attribute name="title" select="f:title(.)"/>
      <xsl:attribute name="ref" select="f:reference(@xml:id)"/>
      <xsl:if test="not(parent::tei:div) and f:title(.) eq substring-after(f:reference(@xml:id), ':')">
        <xsl:attribute name="incipit" select="fp:incipit(.)"/>
      </xsl:if>
      <!-- It becomes a file name: nothing that leads out of its folder, or to the landing page. -->
      <xsl:if test="not(parent::tei:div)"><xsl:attribute name="page" select="
          if (matches(f:page(.), '^[A-Za-z0-9][A-Za-z0-9_-]*$') and not(f:page(.) = $v:pages)) then f:page(.)
          else error(xs:QName('e:PAGE'), 'n=&quot;' || f:page(.) || '&quot; of a division cannot name a page')"/></xsl:if>
      <xsl:if test="parent::tei:body"><xsl:attribute name="alone" select="'yes'"/></xsl:if>
      <xsl:for-each select="$v:told ! key('fp:told', string(current()/@xml:id), .)/self::p:chapter">
        <xsl:attribute name="collation" select="p:sentence"/>
      </xsl:for-each>
      <xsl:apply-templates select="*" mode="m:resolve"/>
    </xsl:element>
  </xsl:template>

  <!-- f:title gives the plain title of a division, for tables of contents. -->
  <xsl:template match="tei:index[@indexName = ('contents', 'reference')]" mode="m:resolve"/>

  <!-- The name of a division: its index entry; else its head; for a section, its trailer without 右, unless that only counts
       (右第一章); of a part beside others (edition, apparatus) the word for what it is. Otherwise it has no name, and its reference is used. -->
  <xsl:function name="f:title" as="xs:string">
    <xsl:param name="division" as="element(tei:div)"/>
    <xsl:variable name="head" as="xs:string" select="f:edited($division/tei:head[1])"/>
    <xsl:variable name="trailer" as="xs:string" select="f:edited($division/tei:trailer[1])"/>
    <xsl:sequence select="
        if ($division/tei:index[@indexName = 'contents']) then normalize-space($division/tei:index[@indexName = 'contents'][1])
        else if ($head) then normalize-space($head)
        else if ($trailer and not(matches($trailer, '^\s*右?第[〇一二三四五六七八九十百]+[章篇]'))) then replace(normalize-space($trailer), '^右', '')
        else if ($division/@subtype) then f:word('part-' || $division/@subtype)
        else if ($division/parent::tei:div) then ''
        else if ($division/@type eq 'front') then f:word(
            if ($division[preceding-sibling::tei:div[@type ne 'front']][not(following-sibling::tei:div[@type ne 'front'])]) then 'back' else 'front')
        else substring-after(f:reference($division/@xml:id), ':')"/>
  </xsl:function>

  <!-- The words with which a division without a name begins, for tables of contents: of its first head, line or paragraph. At
       most 12 graphs or 40 letters: one line on a phone. A choice. -->
  <xsl:function name="fp:incipit" as="xs:string">
    <xsl:param name="division" as="element(tei:div)"/>
    <xsl:variable name="first" as="element()?" select="
        ($division//(tei:head | tei:ab[not(@rend)]/tei:seg | tei:l | tei:p | tei:note)[normalize-space(f:edited(node()))])[1]"/>
    <xsl:variable name="words" as="xs:string" select="normalize-space(f:edited($first/node()))"/>
    <xsl:variable name="most" as="xs:integer" select="if (contains($words, ' ')) then 40 else 12"/>
    <xsl:sequence select="if (string-length($words) le $most) then $words else replace(substring($words, 1, $most), '\s\S*$', '') || '…'"/>
  </xsl:function>

  <xsl:template match="tei:ab" mode="m:resolve" as="element(p:paragraph)">
    <!-- Text outside any unit would not be printed. -->
    <xsl:for-each select="text()[normalize-space()][1]">
      <xsl:sequence select="error(xs:QName('e:OUTSIDE'), 'words outside a unit, after ' ||
          (preceding::*[@xml:id][1]/@xml:id, 'the beginning')[1] || ': ' || substring(normalize-space(.), 1, 20))"/>
    </xsl:for-each>
    <xsl:variable name="content" as="node()*"><xsl:apply-templates select="node()" mode="m:resolve"/></xsl:variable>
    <paragraph>
      <!-- Said here once: asked of each of its units, it would take time by the square of their number. -->
      <xsl:if test="$content/self::p:unit//p:mark"><xsl:attribute name="marked" select="'yes'"/></xsl:if>
      <xsl:call-template name="mp:form"/>
      <xsl:sequence select="$content"/>
    </paragraph>
  </xsl:template>

  <!-- What a paragraph is in somebody else's file, and its number there. Context: a paragraph. -->
  <xsl:template name="mp:form" as="attribute()*">
    <xsl:if test="@rend"><xsl:attribute name="form" select="translate(@rend, '-', ' ')"/></xsl:if>
    <xsl:if test="@n"><xsl:attribute name="number" select="@n"/></xsl:if>
    <!-- description-incipit-in-msContents: the labels of a statement, and of the group that it begins. -->
    <xsl:if test="starts-with(@rend, 'description-')">
      <xsl:variable name="names" as="xs:string*" select="tokenize(@rend, '-')"/>
      <xsl:variable name="words" as="xs:string*" select="
          if ($names = 'more') then () else ($names[2], reverse(subsequence($names, 3)[. ne 'in'])) ! ('header-' || .)[map:contains($v:words, .)] ! f:word(.)"/>
      <xsl:if test="exists($words[1]) and not($words[1] = tail($words))"><xsl:attribute name="label" select="$words[1]"/></xsl:if>
      <xsl:if test="exists($words[2])"><xsl:attribute name="group" select="string-join(tail($words), ' · ')"/></xsl:if>
    </xsl:if>
  </xsl:template>

  <xsl:template match="tei:seg[@type = 'jing'] | tei:lg" mode="m:resolve" as="element(p:unit)">
    <unit id="{@xml:id}" n="{@n}" ref="{f:reference(@xml:id)}">
      <xsl:if test="self::tei:lg"><xsl:attribute name="verse" select="'yes'"/></xsl:if>
      <xsl:for-each select="parent::tei:ab"><xsl:call-template name="mp:form"/></xsl:for-each>
      <xsl:attribute name="characters" select="string-length(f:edited(.))"/>
      <xsl:call-template name="m:carriers"/>
      <xsl:apply-templates select="node()" mode="m:resolve"/>
    </unit>
  </xsl:template>

  <xsl:template match="tei:l" mode="m:resolve" as="element(p:line)">
    <line><xsl:copy-of select="@n"/><xsl:apply-templates select="node()" mode="m:resolve"/></line>
  </xsl:template>

  <xsl:template match="tei:head | tei:trailer" mode="m:resolve" as="element()">
    <xsl:element name="{local-name()}">
      <xsl:if test="@xml:id"><xsl:attribute name="id" select="@xml:id"/></xsl:if>
      <xsl:apply-templates select="node()" mode="m:resolve"/>
    </xsl:element>
  </xsl:template>

  <xsl:template match="tei:p" mode="m:resolve" as="element(p:prose)">
    <prose><xsl:call-template name="mp:form"/><xsl:apply-templates select="node()" mode="m:resolve"/></prose>
  </xsl:template>

  <xsl:template match="tei:figure" mode="m:resolve" as="element(p:figure)">
    <!-- Printed in place of the picture: its description, else that it is lost. -->
    <figure><xsl:if test="@facs"><xsl:attribute name="image" select="@facs"/></xsl:if><xsl:value-of select="(normalize-space(string-join((tei:head, tei:figDesc), ' '))[.], f:word('figure' || '-shown'[current()/@facs]))[1]"/></figure>
  </xsl:template>

  <xsl:template match="tei:fw" mode="m:resolve" as="element(p:furniture)">
    <furniture kind="{(@type, local-name())[1]}"><xsl:apply-templates select="node()" mode="m:resolve"/></furniture>
  </xsl:template>

  <xsl:template match="tei:milestone[@unit = 'juan']" mode="m:resolve" as="element(p:juan)">
    <juan n="{@n}" name="{f:word('juan')}{if (@n castable as xs:integer) then f:hanzi(xs:integer(@n)) else @n}"/>
  </xsl:template>

  <!-- The beginnings of a witness's own units are needed to read that witness back; they are not printed. -->
  <xsl:template match="tei:milestone[@unit = 'unit']" mode="m:resolve"/>

  <!-- Pages and lines of a printed edition are for citation and images; they are not line breaks of ours. -->
  <xsl:template match="tei:pb | tei:cb | tei:lb" mode="m:resolve"/>

  <!-- Of the witnesses that have a note those whose words are printed: those that depart from them in nothing but their
       writing, else, where the editor chose among them, in the fewest letters. -->
  <xsl:function name="f:printed-of" as="xs:string*">
    <xsl:param name="note" as="element(tei:note)"/>
    <xsl:param name="carriers" as="xs:string*"/>
    <xsl:variable name="readings" as="element(tei:rdg)*" select="
        if (empty($carriers[2])) then () else $note//tei:rdg[not(@type = 'orthographic')][not(../@type)]
            [ancestor::*[self::tei:note or self::tei:rdg][1] is $note]"/>
    <xsl:variable name="departures" as="xs:integer*" select="
        for $carrier in $carriers return sum($readings[f:ids(@wit) = $carrier] ! max((1, string-length(f:edited(node())), string-length(f:edited(../tei:lem)))))"/>
    <xsl:sequence select="for-each-pair($carriers, $departures, function($carrier, $letters) { $carrier[$letters eq min($departures)] })"/>
  </xsl:function>

  <!-- The witnesses of a unit or note, as ids; for notes also the sigla of those whose words are printed (`words`), and
       inside a note of more witnesses whose it is (`of`). -->
  <xsl:template name="m:carriers" as="attribute()*">
    <xsl:if test="@source">
      <xsl:variable name="carriers" as="xs:string*" select="f:ids(@source)"/>
      <xsl:attribute name="wits" select="$carriers"/>
      <xsl:if test="self::tei:note">
        <xsl:variable name="printed" as="xs:string*" select="f:printed-of(., $carriers)"/>
        <xsl:variable name="sigla" as="xs:string" select="$printed ! f:siglum-of(.) => string-join(f:word('listing'))"/>
        <xsl:if test="count($printed) lt count($carriers)"><xsl:attribute name="words" select="$printed"/></xsl:if>
        <xsl:attribute name="sigla" select="$sigla"/>
        <xsl:if test="ancestor::tei:note[@source][1][not(every $witness in f:ids(@source) satisfies $witness = $carriers)]">
          <xsl:attribute name="of" select="$sigla || f:word('witness-of-note')"/>
        </xsl:if>
      </xsl:if>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
