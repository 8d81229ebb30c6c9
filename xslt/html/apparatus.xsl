<?xml version="1.0" encoding="UTF-8"?>
<!-- Variants: the marked words in the text, and the list of entries at the end of a division. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:entry" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="app" mode="m:inline" as="element()+">
    <xsl:param name="sample" as="element(p:entry)*" tunnel="yes" select="()"/>
    <xsl:choose>
      <xsl:when test="exists($sample)"><xsl:call-template name="m:sampled"><xsl:with-param name="entry" select="$sample[@id = current()/@id]"/></xsl:call-template></xsl:when>
      <xsl:otherwise>
        <span class="v r{@rank}" id="{@id}"><xsl:apply-templates select="node()" mode="m:inline"/></span>
        <xsl:call-template name="m:mark"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The words of an entry in the sample. Context: an app. -->
  <xsl:template name="m:sampled" as="element()?">
    <xsl:param name="entry" as="element(p:entry)?" required="yes"/>
    <xsl:choose>
      <xsl:when test="exists($entry)">
        <a class="v r{@rank}" href="{$entry/ancestor::chapter/@page}.html#e-{@id}" title="{normalize-space($entry/sentence)}"><xsl:apply-templates select="node()" mode="m:inline"/></a>
      </xsl:when>
      <xsl:otherwise><span><xsl:apply-templates select="node()" mode="m:inline"/></span></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The number of an entry at each level at which it is printed; CSS shows one of them. -->
  <xsl:template name="m:mark" as="element()">
    <a class="m r{@rank}" href="#e-{@id}" data-all="{@h0}" aria-label="{f:word('entry')} {(@h2, @h0)[1]}{fp:named(.)}">
      <xsl:if test="@h2"><xsl:attribute name="data-reading" select="@h2"/></xsl:if>
      <xsl:if test="@h3"><xsl:attribute name="data-substantive" select="@h3"/></xsl:if>
    </a>
  </xsl:template>

  <!-- The words of an app for its name; those of notes in it are not its own. -->
  <xsl:function name="fp:named" as="xs:string">
    <xsl:param name="app" as="element()"/>
    <xsl:variable name="words" as="xs:string" select="normalize-space(string-join($app//text()[not(ancestor::note/ancestor::* intersect $app)]))"/>
    <xsl:sequence select="if ($words eq '') then '' else (if ($v:chinese) then '：' else ': ') || (if (string-length($words) gt 20) then substring($words, 1, 20) || '…' else $words)"/>
  </xsl:function>

  <!-- Words with the readings of other witnesses, shown when one of these is read; U+2063 stands on both sides of punctuation
       that is printed as a note (〈句〉). -->
  <xsl:template match="attribution | accidental" mode="m:inline" as="element()">
    <span>
      <xsl:for-each select="other">
        <xsl:variable name="words" as="xs:string" select="string-join((.//text()[not(ancestor::other[2] | ancestor::span[@role = 'punct'])] | .//span[@role = 'punct']) !
            (if (self::text()) then . else '&#x2063;' || substring(@rend, 1, 1) || . || substring(@rend, 2) || '&#x2063;'))"/>
        <xsl:for-each select="tokenize(@wits)"><xsl:attribute name="data-o-{lower-case(.)}" select="$words"/></xsl:for-each>
      </xsl:for-each>
      <xsl:apply-templates select="node() except other" mode="m:inline"/>
    </span>
  </xsl:template>

  <xsl:template match="move" mode="m:inline"/>
  <xsl:template match="move[@said]" mode="m:inline" as="element()">
    <xsl:param name="page" as="xs:string" tunnel="yes" select="''"/>
    <a class="move" id="{@id}" title="{@said}">
      <xsl:if test="@to"><xsl:attribute name="href" select="f:href(@to-page, @to, $page)"/></xsl:if>
      <xsl:value-of select="f:word('moved-sign')"/>
    </a>
  </xsl:template>

  <xsl:template match="apparatus" mode="m:block" as="element()">
    <section class="apparatus" aria-label="{f:word('apparatus')} {f:short(../@ref)}">
      <!-- Under the title of its section, or of the chapter if the section has none. -->
      <h3><xsl:if test="parent::chapter or ../@title = '' and empty(../passage[@kind = 'head'])"><xsl:attribute name="aria-level" select="2"/></xsl:if><xsl:value-of select="f:word('apparatus')"/></h3>
      <xsl:if test=". is ancestor::chapter/descendant::apparatus[1]">
        <xsl:for-each select="ancestor::chapter/@collation"><p class="collation"><xsl:sequence select="if (/*/@direction eq 'rtl') then f:isolated(.) else f:shown(.)"/></p></xsl:for-each>
      </xsl:if>
      <ol><xsl:apply-templates select="entry" mode="m:entry"/></ol>
    </section>
  </xsl:template>

  <!-- Passages that some witnesses have elsewhere, listed for readers who cannot point at a mark. Context: a division. -->
  <xsl:template name="m:moves" as="element()?">
    <xsl:param name="page" as="xs:string" tunnel="yes" select="''"/>
    <xsl:variable name="moves" as="element(p:move)*" select="(* except (section, apparatus))//move[@said]"/>
    <xsl:if test="exists($moves)">
      <ul class="moves" aria-label="{f:word('variant-transposition')}">
        <xsl:for-each select="$moves">
          <li>
            <a href="#{@id}"><xsl:value-of select="f:short((ancestor::*[self::unit or self::note][1]/@ref, f:reference(@id))[1])"/></a>
            <xsl:sequence select="f:shown(@said)"/>
            <xsl:for-each select="@to-ref">
              <a href="{f:href(../@to-page, ../@to, $page)}"><xsl:value-of select="f:short(.)"/></a>
            </xsl:for-each>
          </li>
        </xsl:for-each>
      </ul>
    </xsl:if>
  </xsl:template>

  <xsl:template match="entry" mode="m:entry" as="node()+">
    <li class="r{@rank} {@class}{if (@on) then ' on-note' else ''}" id="e-{@id}">
      <a class="m r{@rank}" href="#{@id}" data-all="{@h0}" aria-label="{f:short(@ref)}">
        <xsl:if test="@h2"><xsl:attribute name="data-reading" select="@h2"/></xsl:if>
        <xsl:if test="@h3"><xsl:attribute name="data-substantive" select="@h3"/></xsl:if>
      </a>
      <xsl:apply-templates select="sentence, comment" mode="m:entry"/>
      <xsl:if test="entry[not(@in)]"><xsl:call-template name="mp:within"/></xsl:if>
      <xsl:apply-templates select="." mode="mp:table"/>
    </li>
    <xsl:text>&#10;</xsl:text>
  </xsl:template>

  <!-- Entries inside a reading of this one. -->
  <xsl:template name="mp:within" as="element()">
    <span class="within">
      <xsl:value-of select="f:word('within')"/>
      <xsl:for-each select="entry[not(@in)]">
        <span id="e-{@id}"><xsl:apply-templates select="sentence, comment" mode="m:entry"/></span>
        <xsl:if test="entry[not(@in)]"><xsl:call-template name="mp:within"/></xsl:if>
      </xsl:for-each>
    </span>
  </xsl:template>

  <xsl:template match="sentence" mode="m:entry" as="element()">
    <span class="says"><xsl:apply-templates select="f:grouped-sigla(.)" mode="m:entry">
      <xsl:with-param name="leftward" as="xs:boolean" tunnel="yes" select="ancestor::text/@direction = 'rtl'"/>
    </xsl:apply-templates></span>
  </xsl:template>
  <xsl:template match="comment" mode="m:entry" as="element()">
    <span class="comment"><xsl:apply-templates select="node()" mode="m:entry"/></span>
  </xsl:template>
  <!-- The editor's words (om., add.) in an entry that runs from right to left are isolated with their stop. -->
  <xsl:template match="text()" mode="m:entry" as="node()*">
    <xsl:param name="leftward" as="xs:boolean" tunnel="yes" select="false()"/>
    <xsl:for-each select="if ($leftward) then analyze-string(., '\p{L}[\p{L}\p{M}.]*( \p{L}[\p{L}\p{M}.]*)*')/* else .">
      <xsl:choose>
        <xsl:when test="self::*:match"><bdi dir="ltr"><xsl:value-of select="."/></bdi></xsl:when>
        <xsl:otherwise><xsl:sequence select="f:shown(string(.))"/></xsl:otherwise>
      </xsl:choose>
    </xsl:for-each>
  </xsl:template>
  <xsl:template match="q" mode="m:entry" as="element()"><b><xsl:sequence select="f:shown(.)"/></b></xsl:template>
  <xsl:template match="siglum" mode="m:entry" as="element()">
    <xsl:param name="witnesses" as="map(xs:string, xs:string)" tunnel="yes" required="yes"/>
    <abbr title="{$witnesses(@id)}"><xsl:value-of select="."/></abbr>
  </xsl:template>
  <xsl:template match="class" mode="m:entry" as="element()"><i class="class {@id}"><xsl:value-of select="."/></i></xsl:template>

  <!-- Id of a witness or group → its dynasty, authors, title. -->
  <xsl:function name="f:witnesses" as="map(xs:string, xs:string)">
    <xsl:param name="meta" as="element(p:meta)"/>
    <!-- The siglum of a group has its title, and the sigla of its members. -->
    <xsl:variable name="groups" as="map(xs:string, xs:string)*">
      <xsl:for-each-group select="$meta/witness[@group]" group-by="string(@group)">
        <xsl:sequence select="map{current-grouping-key(): string-join((@group-title, string-join(current-group()/@siglum, ' ')), ': ')}"/>
      </xsl:for-each-group>
    </xsl:variable>
    <xsl:sequence select="map:merge(($groups, $meta/witness ! map{string(@id):
        normalize-space(@dynasty || ' ' || string-join(author, f:word('listing')) || (if ($v:chinese) then '《' || @title || '》' else ' ' || @title))}), map{'duplicates': 'use-last'})"/>
  </xsl:function>

  <!-- Id of a witness → its title. -->
  <xsl:function name="f:titles" as="map(xs:string, xs:string)">
    <xsl:param name="meta" as="element(p:meta)"/>
    <xsl:sequence select="map:merge($meta/witness ! map{string(@id): string(@title)})"/>
  </xsl:function>

  <!-- The readings one by one with their evidence, if the sentence does not contain it all. -->
  <xsl:mode name="mp:table" on-no-match="fail"/>
  <xsl:template match="entry" mode="mp:table" as="element()">
    <span class="why" hidden="hidden">
      <xsl:apply-templates select="reading" mode="mp:table"/>
      <xsl:if test="reading/@order"><xsl:call-template name="mp:stemma"/></xsl:if>
      <xsl:if test="@same-as"><xsl:call-template name="mp:same"/></xsl:if>
    </span>
  </xsl:template>

  <!-- The local stemma that the editor gives: what each reading comes from. -->
  <xsl:template name="mp:stemma" as="element()">
    <span class="stemma">
      <xsl:value-of select="f:word('stemma') || ' '"/>
      <xsl:for-each-group select="reading[@order]" group-by="xs:integer(@order)">
        <xsl:sort select="current-grouping-key()"/>
        <xsl:if test="position() gt 1"> → </xsl:if>
        <xsl:for-each select="current-group()">
          <xsl:if test="position() gt 1"><xsl:value-of select="f:word('listing')"/></xsl:if>
          <b><xsl:apply-templates select="words/node()" mode="m:inline"/><xsl:if test="@empty">∅</xsl:if></b>
        </xsl:for-each>
      </xsl:for-each-group>
    </span>
  </xsl:template>

  <xsl:template match="reading" mode="mp:table" as="element()">
    <xsl:param name="page" as="xs:string" tunnel="yes" select="''"/>
    <xsl:variable name="makers" as="xs:string*" select="for $who in tokenize(@resp)[not(current()/siglum)]
        return string((ancestor::text/meta/(speaker[@id = $who]/@name, resp[@id = $who]), $who)[1])"/>
    <span class="{@kind}">
      <!-- A reading without a witness is a conjecture only if somebody makes it; else its source is not stated. -->
      <xsl:if test="exists($makers)"><xsl:attribute name="data-by" select="$makers" separator="{f:word('listing')}"/></xsl:if>
      <b><xsl:apply-templates select="words/node()" mode="m:inline"/><xsl:if test="@empty">∅</xsl:if></b>
      <span class="sigla"><xsl:apply-templates select="siglum" mode="m:entry"/><xsl:value-of select="$makers" separator="{f:word('listing')}"/></span>
      <xsl:if test="@class-name ne ''"><i class="class {@class}"><xsl:value-of select="@class-name"/></i></xsl:if>
      <xsl:if test="@evidence"><small><xsl:value-of select="f:word('evidence'), f:evidence(@evidence)"/></small></xsl:if>
      <xsl:if test="@citation"><small lang="zh"><xsl:value-of select="translate(@citation, $v:plain, $v:formed)"/></small></xsl:if>
      <xsl:if test="@cert"><small><xsl:value-of select="f:word('certainty'), f:word('cert-' || @cert)"/></small></xsl:if>
      <xsl:if test="@remark">
        <a href="{f:href(@remark-page, @remark, $page)}"><xsl:value-of select="f:word('remark'), @remark ! f:reference(.) ! f:short(.)"/></a>
      </xsl:if>
    </span>
  </xsl:template>

  <xsl:template name="mp:same" as="element()">
    <xsl:param name="page" as="xs:string" tunnel="yes" select="''"/>
    <a href="{f:href(@same-page, @same-as, $page)}"><xsl:value-of select="f:word('first-place'), f:short(f:reference(@same-as))"/></a>
  </xsl:template>
</xsl:stylesheet>
