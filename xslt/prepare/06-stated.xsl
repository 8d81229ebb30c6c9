<?xml version="1.0" encoding="UTF-8"?>
<!-- The header of somebody else's file → p:stated: all that it states, in its own words and order. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The program's own application in a header. -->
  <xsl:function name="f:application" as="element(tei:application)?">
    <xsl:param name="header" as="element(tei:teiHeader)?"/>
    <xsl:sequence select="$header/tei:encodingDesc/tei:appInfo/tei:application[@ident = 'jiaokan'][last()]"/>
  </xsl:function>

  <!-- The encodingDesc that says how the text is encoded: the program's, else all. -->
  <xsl:function name="f:encoding" as="element(tei:encodingDesc)*">
    <xsl:param name="header" as="element(tei:teiHeader)?"/>
    <xsl:variable name="own" as="element()?" select="f:application($header)/ancestor::tei:encodingDesc"/>
    <xsl:sequence select="if ($own) then $own else $header/tei:encodingDesc"/>
  </xsl:function>

  <!-- Whether the program wrote the header, and not only the text (pipeline/jiaokan/tei/persons.py, is_ours). -->
  <xsl:function name="f:ours" as="xs:boolean">
    <xsl:param name="header" as="element(tei:teiHeader)?"/>
    <xsl:sequence select="exists(f:application($header)[not(@type = 'shown')])"/>
  </xsl:function>

  <!-- The words of an element; parts without words between them are separated. -->
  <xsl:function name="f:stated-text" as="xs:string">
    <xsl:param name="element" as="element()?"/>
    <xsl:variable name="words"><xsl:apply-templates select="$element/node()" mode="mp:words"/></xsl:variable>
    <xsl:sequence select="normalize-space($words)"/>
  </xsl:function>

  <!-- Elements that stand in a line of words. What holds only such is one statement; anything else is a list of statements. -->
  <xsl:variable name="fp:phrases" as="map(xs:string, xs:boolean)" select="map:merge(tokenize('abbr addName addrLine add am c choice code
      corr country damage date del dim district email emph eventName ex expan foreign forename g gap genName geogName gi gloss graphic hi
      ident idno institution lb locus mentioned name nameLink num orgName orig origDate origPlace pb pc persName placeName ptr q quote ref
      reg region repository roleName rs secl seg settlement sic signatures soCalled space street subst supplied surname surplus term time
      title unclear val w att tag material measure height width depth objectType collection msName biblScope pubPlace publisher author
      editor edition extent note handNote label resp') ! map{.: true()})" xmlns:map="http://www.w3.org/2005/xpath-functions/map"/>

  <!-- Attributes that say how an element is encoded or printed, not what it states. -->
  <xsl:variable name="fp:silent" as="xs:string+" select="tokenize('id lang space base rend rendition style part default sample org
      full instant facs ana corresp next prev level sortKey')"/>
  <xsl:variable name="fp:links" as="xs:string+" select="'target', 'ref', 'url', 'source', 'scheme'"/>

  <!-- Context: the header. -->
  <xsl:template name="m:stated" as="element(p:stated)">
    <stated>
      <xsl:copy-of select="ancestor-or-self::*[@xml:lang][1]/@xml:lang"/>
      <xsl:attribute name="name" select="'teiHeader'"/>
      <xsl:apply-templates select="node()" mode="mp:stated"/>
    </stated>
  </xsl:template>

  <xsl:mode name="mp:stated" on-no-match="fail" on-multiple-match="use-last"/>
  <xsl:mode name="mp:words" on-no-match="fail" on-multiple-match="use-last"/>

  <xsl:template match="comment() | processing-instruction()" mode="mp:stated mp:words"/>
  <xsl:template match="text()" mode="mp:stated">
    <xsl:if test="normalize-space()"><said><xsl:value-of select="normalize-space(.)"/></said></xsl:if>
  </xsl:template>

  <xsl:template match="*" mode="mp:stated" as="element()">
    <stated name="{local-name()}">
      <xsl:copy-of select="@xml:lang"/>
      <xsl:call-template name="mp:content"/>
      <xsl:call-template name="mp:more"/>
    </stated>
  </xsl:template>

  <!-- Who did what: what he did is the label. -->
  <xsl:template match="tei:respStmt[tei:resp[normalize-space()]]" mode="mp:stated" as="element()">
    <stated name="respStmt" label="{string-join(tei:resp ! f:stated-text(.), '; ')}">
      <xsl:copy-of select="@xml:lang"/>
      <xsl:for-each select="* except tei:resp">
        <said><xsl:apply-templates select="node()" mode="mp:words"/></said>
        <xsl:call-template name="mp:more"/>
      </xsl:for-each>
      <xsl:for-each select="tei:resp, ."><xsl:call-template name="mp:more"/></xsl:for-each>
    </stated>
  </xsl:template>

  <xsl:template match="tei:witness" mode="mp:stated" as="element()">
    <xsl:variable name="content" as="element()*"><xsl:call-template name="mp:content"/><xsl:call-template name="mp:more"/></xsl:variable>
    <stated name="witness" label="{f:siglum(.)}">
      <xsl:copy-of select="@xml:lang"/>
      <!-- That there is such a witness is a statement, too. -->
      <xsl:sequence select="$content"/><xsl:if test="empty($content)"><said/></xsl:if>
    </stated>
  </xsl:template>

  <!-- What the program added: only the sigla of witnesses that the header does not list. -->
  <xsl:template match="tei:listWit[@resp = '#jiaokan']" mode="mp:stated" as="element()">
    <stated name="sigla"><said><xsl:value-of select="tei:witness ! f:siglum(.)" separator=" · "/></said></stated>
  </xsl:template>
  <xsl:template match="tei:respStmt[@xml:id = 'jiaokan'] | (tei:title | tei:encodingDesc | tei:profileDesc)[@resp = '#jiaokan'] |
      tei:application[@ident = 'jiaokan']" mode="mp:stated" priority="2"/>

  <!-- The content of an element: words with what stands in them, or a list of statements. -->
  <xsl:template name="mp:content" as="element()*">
    <xsl:variable name="mixed" as="xs:boolean" select="exists(text()[normalize-space()]) or not(* except *[fp:phrase(.)]) and fp:line(.)"/>
    <xsl:choose>
      <xsl:when test="not($mixed)"><xsl:apply-templates select="node()" mode="mp:stated"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each-group select="node()" group-adjacent="exists(self::*) and not(fp:phrase(.))">
          <xsl:choose>
            <xsl:when test="current-grouping-key()"><xsl:apply-templates select="current-group()" mode="mp:stated"/></xsl:when>
            <xsl:otherwise>
              <xsl:variable name="said" as="node()*"><xsl:apply-templates select="current-group()" mode="mp:words"/></xsl:variable>
              <xsl:if test="normalize-space(string-join($said))"><said><xsl:sequence select="$said"/></said></xsl:if>
            </xsl:otherwise>
          </xsl:choose>
        </xsl:for-each-group>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Whether an element is a line of words: it stands in one, and nothing in it does not. -->
  <xsl:function name="fp:phrase" as="xs:boolean">
    <xsl:param name="node" as="node()"/>
    <xsl:sequence select="$node instance of element() and exists($fp:phrases(local-name($node))) and not($node/* except $node/*[fp:phrase(.)])"/>
  </xsl:function>

  <!-- Whether the parts of an element are one statement: those of names, addresses and shelfmarks. -->
  <xsl:function name="fp:line" as="xs:boolean">
    <xsl:param name="element" as="element()"/>
    <xsl:sequence select="empty($element/*) or fp:phrase($element) or local-name($element) = ('msIdentifier', 'address', 'p', 'head', 'item', 'desc', 'imprint', 'altIdentifier', 'principal', 'funder', 'sponsor', 'authority', 'distributor')"/>
  </xsl:function>

  <!-- What attributes state beside the words; of an element without words, everything. -->
  <xsl:template name="mp:more" as="element(p:also)*">
    <xsl:variable name="words" as="xs:string" select="normalize-space(.)"/>
    <xsl:for-each select="@*[not(local-name() = $fp:silent)][normalize-space()]">
      <xsl:variable name="value" as="xs:string" select="normalize-space(.)"/>
      <xsl:variable name="named" as="xs:string" select="string-join(tokenize($value) ! fp:named(., current()), ', ')"/>
      <xsl:if test="not(contains($words, $value)) and not(local-name() eq 'n' and ../self::tei:witness)">
        <also>
          <xsl:if test="local-name() = $fp:links and matches($value, '^(https?://|mailto:)')"><xsl:attribute name="href" select="$value"/></xsl:if>
          <xsl:value-of select="if (local-name() = ($fp:links, 'when', 'when-iso', 'type', 'who', 'resp')) then $named else local-name() || ' ' || $named"/>
        </also>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- What a pointer into the header names; any other value as it is. -->
  <xsl:function name="fp:named" as="xs:string">
    <xsl:param name="pointer" as="xs:string"/>
    <xsl:param name="from" as="node()"/>
    <xsl:variable name="to" as="element()?" select="key('fp:id', substring-after($pointer, '#'), root($from))[starts-with($pointer, '#')][1]"/>
    <xsl:variable name="name" as="element()?" select="($to/(descendant-or-self::tei:persName, descendant::tei:name, descendant::tei:orgName, self::tei:*[fp:phrase(.)], tei:title, tei:catDesc, tei:head))[1]"/>
    <xsl:sequence select="($name ! f:stated-text(.)[.], $pointer)[1]"/>
  </xsl:function>

  <xsl:template match="text()" mode="mp:words" as="text()"><xsl:value-of select="replace(., '\s+', ' ')"/></xsl:template>
  <xsl:template match="*" mode="mp:words" as="node()*">
    <xsl:if test="preceding-sibling::* and not(../text()[normalize-space()])"><xsl:value-of select="fp:between(.)"/></xsl:if>
    <xsl:apply-templates select="node()" mode="mp:words"/>
  </xsl:template>
  <!-- The siglum is the label of its witness. -->
  <xsl:template match="tei:witness/tei:abbr[normalize-space() eq f:siglum(..)]" mode="mp:stated mp:words" priority="2"/>
  <xsl:template match="tei:lb" mode="mp:words" as="text()"><xsl:text> </xsl:text></xsl:template>
  <xsl:template match="*[@target | @url][not(self::tei:note)]" mode="mp:words" as="node()*" priority="1">
    <xsl:if test="preceding-sibling::* and not(../text()[normalize-space()])"><xsl:text> </xsl:text></xsl:if>
    <link target="{normalize-space((@target, @url)[1])}"><xsl:value-of select="(normalize-space(.)[.], normalize-space((@target, @url)[1]))[1]"/></link>
  </xsl:template>

  <!-- What separates parts that have nothing between them. -->
  <xsl:function name="fp:between" as="xs:string">
    <xsl:param name="part" as="element()"/>
    <xsl:variable name="before" as="xs:string" select="substring(normalize-space($part/preceding-sibling::*[normalize-space()][1]), string-length(normalize-space($part/preceding-sibling::*[normalize-space()][1])))"/>
    <xsl:sequence select="
        if ($part/parent::tei:msIdentifier | $part/parent::tei:address | $part/parent::tei:altIdentifier) then ', '
        else if (matches($before, '[\p{IsCJKUnifiedIdeographs}]') and matches(normalize-space($part), '^[\p{IsCJKUnifiedIdeographs}]')) then '' else ' '"/>
  </xsl:function>
</xsl:stylesheet>
