<?xml version="1.0" encoding="UTF-8"?>
<!-- All entries of an edition: a table with filters, and the same as CSV. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:template match=".[. eq 'entries-page']" mode="m:side" as="node()+">
    <xsl:param name="text" as="element(p:text)" tunnel="yes" required="yes"/>
    <p class="downloads"><a href="entries.csv" download="">CSV</a></p>
    <xsl:if test="$text//entry/@stated"><p class="how"><a href="index.html#principles"><xsl:value-of select="f:word('stated-once')"/></a></p></xsl:if>
    <xsl:for-each select="$text"><xsl:call-template name="mp:filters"/></xsl:for-each>
    <table>
      <thead>
        <tr>
          <xsl:for-each select="'place-of', 'apparatus', 'variant-class', 'grounds'">
            <th scope="col"><xsl:value-of select="f:word(.)"/></th>
          </xsl:for-each>
        </tr>
      </thead>
      <xsl:for-each select="$text/chapter[.//apparatus//entry[not(@stated)]]">
        <tbody id="c-{@page}" data-page="{@page}">
          <tr class="chapter"><th colspan="4" scope="rowgroup"><a href="{@page}.html" data-name="{@title}"><xsl:sequence select="f:shown(@title)"/></a></th></tr>
          <xsl:apply-templates select=".//apparatus" mode="mp:row">
            <xsl:with-param name="witnesses" select="f:witnesses($text/meta)" tunnel="yes"/>
            <xsl:with-param name="page" select="string(@page)" tunnel="yes"/>
            <xsl:with-param name="makers" select="map:merge($text/meta/(resp ! map{string(@id): string(.)}, speaker ! map{string(@id): string(@name)}), map{'duplicates': 'use-last'})" tunnel="yes"/>
          </xsl:apply-templates>
        </tbody>
      </xsl:for-each>
    </table>
  </xsl:template>

  <xsl:template name="mp:filters" as="element()">
    <form id="filter" autocomplete="off" data-some="{f:word('found')}">
      <label><span><xsl:value-of select="f:word('variant-class')"/></span>
        <select name="class"><option value=""><xsl:value-of select="f:word('all-speakers')"/></option>
          <xsl:for-each select="meta/class[@id = current()//apparatus//entry[not(@stated)]/reading/@class]"><option value="{@id}"><xsl:value-of select="f:word('variant-' || @id)"/></option></xsl:for-each>
        </select></label>
      <label><span><xsl:value-of select="f:word('differing')"/></span>
        <select name="w"><option value=""><xsl:value-of select="f:word('all-speakers')"/></option>
          <xsl:for-each select="fp:listed(.)"><option value="{@id}"><xsl:value-of select="@siglum"/></option></xsl:for-each>
        </select></label>
      <label><span><xsl:value-of select="f:word('sections-of')"/></span>
        <select name="in"><option value=""><xsl:value-of select="f:word('all-speakers')"/></option>
          <xsl:for-each select="chapter[.//apparatus]">
            <option value="{@id}" data-name="{@title}"><xsl:value-of select="@title"/></option>
            <xsl:for-each select=".//section[apparatus]"><option value="{@id}">&#x2003;<xsl:value-of select="f:short(@ref), @title"/></option></xsl:for-each>
          </xsl:for-each>
        </select></label>
      <label><span><xsl:value-of select="f:word('words')"/></span><input type="search" name="q"/></label>
      <p id="told" role="status"/>
    </form>
  </xsl:template>

  <xsl:mode name="mp:row" on-no-match="fail"/>
  <xsl:template match="apparatus" mode="mp:row" as="node()*">
    <xsl:apply-templates select=".//entry[not(@sums or @stated)]" mode="mp:row">
      <xsl:with-param name="in" select="string-join(ancestor::*[self::section or self::chapter]/@id, ' ')" tunnel="yes"/>
    </xsl:apply-templates>
  </xsl:template>
  <xsl:template match="entry" mode="mp:row" as="node()+">
    <xsl:param name="text" as="element(p:text)" tunnel="yes" required="yes"/>
    <xsl:param name="page" as="xs:string" tunnel="yes" required="yes"/>
    <xsl:param name="in" as="xs:string" tunnel="yes" required="yes"/>
    <xsl:param name="makers" as="map(xs:string, xs:string)" tunnel="yes" required="yes"/>
    <tr class="r{@rank}" data-class="{distinct-values((@class, reading/@class[. ne '']))}" data-w="{distinct-values(reading[@kind = 'rdg']/siglum/@id)}" data-in="{$in}">
      <td><a href="{$page}.html#{ancestor-or-self::entry[last()]/@id}"><xsl:value-of select="f:short(@ref)"/></a></td>
      <td lang="{$text/@xml:lang}"><xsl:if test="$text/@direction eq 'rtl'"><xsl:attribute name="dir" select="'rtl'"/></xsl:if><xsl:apply-templates select="sentence" mode="m:entry"/></td>
      <td><xsl:value-of select="f:word('variant-' || @class)"/></td>
      <td><xsl:value-of separator="{f:word('listing')}" select="distinct-values(reading ! (@evidence ! f:evidence(.), @resp ! ($makers(.), string(.))[1])[1])"/></td>
    </tr>
    <xsl:text>&#10;</xsl:text>
  </xsl:template>

  <!-- The entries as CSV (RFC 4180, UTF-8 with the byte order mark that spreadsheets need), a column for each witness.
       Context: the text. -->
  <xsl:template name="m:csv" as="text()">
    <xsl:variable name="witnesses" as="element(p:witness)*" select="fp:listed(.)"/>
    <xsl:variable name="sigla" as="map(xs:string, xs:string*)" select="map:merge($witnesses ! map{string(@siglum): string(@id)}, map{'duplicates': 'combine'})"/>
    <xsl:variable name="lines" as="xs:string*">
      <xsl:sequence select="string-join(('reference', 'chapter', 'section', 'class', 'lemma', $witnesses ! fp:cell(fp:column(., $sigla)), 'sentence', 'evidence'), ',')"/>
      <xsl:for-each select="chapter//apparatus//entry[not(@sums or @stated)]">
        <xsl:variable name="readings" as="map(xs:string, element(p:reading))" select="map:merge(
            for $reading in reading return $reading/siglum ! map{string(@id): $reading}, map{'duplicates': 'use-first'})"/>
        <xsl:sequence select="string-join((@ref, ancestor::chapter/@title, ancestor::section[1]/@title, @class, fp:words(reading[@kind = 'lem'], ''),
            $witnesses ! fp:read(string(@id), $readings), sentence, string-join(distinct-values(reading/@evidence), ' ')) ! fp:cell(.), ',')"/>
      </xsl:for-each>
    </xsl:variable>
    <xsl:value-of select="'&#xFEFF;' || string-join($lines ! (. || '&#10;'))"/>
  </xsl:template>

  <!-- The witnesses that the entries of a text name. -->
  <xsl:function name="fp:listed" as="element(p:witness)*">
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:variable name="named" as="map(xs:string, xs:boolean)" select="map:merge(
        distinct-values($text//apparatus//entry[not(@stated)]/reading/siglum/@id) ! map{string(.): true()})"/>
    <xsl:sequence select="$text/meta/witness[$named(string(@id))]"/>
  </xsl:function>

  <!-- The name of a witness's column: its siglum, with its id where another has the same. -->
  <xsl:function name="fp:column" as="xs:string">
    <xsl:param name="witness" as="element(p:witness)"/>
    <xsl:param name="sigla" as="map(xs:string, xs:string*)"/>
    <xsl:sequence select="$witness/@siglum || (if (count($sigla(string($witness/@siglum))) gt 1) then ' ' || $witness/@id else '')"/>
  </xsl:function>

  <xsl:function name="fp:read" as="xs:string">
    <xsl:param name="witness" as="xs:string"/>
    <xsl:param name="readings" as="map(xs:string, element(p:reading))"/>
    <xsl:variable name="reading" as="element(p:reading)?" select="$readings($witness)"/>
    <xsl:sequence select="if (empty($reading)) then '' else if ($reading/@empty) then '∅' else fp:words($reading, $witness)"/>
  </xsl:function>

  <!-- The words of a reading: those of a witness, where it differs inside them; without one, as the edition has them. -->
  <xsl:function name="fp:words" as="xs:string">
    <xsl:param name="reading" as="element(p:reading)"/>
    <xsl:param name="witness" as="xs:string"/>
    <xsl:sequence select="string-join($reading/words//text()[every $inner in ancestor::accidental satisfies
        deep-equal($inner/other[tokenize(@wits) = $witness], ancestor::other[.. is $inner])])"/>
  </xsl:function>

  <!-- A cell; an apostrophe precedes content that a spreadsheet would read as a formula. -->
  <xsl:function name="fp:cell" as="xs:string">
    <xsl:param name="words" as="xs:string"/>
    <xsl:variable name="safe" as="xs:string" select="(if (normalize-unicode(substring($words, 1, 1), 'NFKC') = ('=', '+', '-', '@', '&#9;', '&#10;', '&#13;')) then '''' else '') || $words"/>
    <xsl:sequence select="if (translate($safe, '&quot;,&#10;&#13;', '') ne $safe) then '&quot;' || replace($safe, '&quot;', '&quot;&quot;') || '&quot;' else $safe"/>
  </xsl:function>
</xsl:stylesheet>
