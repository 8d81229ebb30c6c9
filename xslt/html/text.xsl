<?xml version="1.0" encoding="UTF-8"?>
<!-- Base text, heads, trailers, verse, and inline elements. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:block" on-no-match="fail" on-multiple-match="fail"/>
  <xsl:mode name="m:inline" on-no-match="fail" on-multiple-match="fail"/>

  <!-- The counts and lists of a chapter are printed on the landing page and in the controls. -->
  <xsl:template match="coverage | voice" mode="m:block"/>

  <!-- The parts before the blocks of a chapter. Context: a chapter. -->
  <xsl:template name="m:opening" as="element()*">
    <xsl:param name="usual" as="xs:string?" required="yes"/>
    <xsl:if test="empty(passage[@kind = 'head'])"><h1 class="given"><xsl:sequence select="f:shown(@title)"/></h1></xsl:if>
    <xsl:if test="count(coverage) eq 1 and (some $chapter in ../chapter satisfies count($chapter/coverage) gt 1)">
      <p class="from alone"><xsl:value-of select="f:word('not-collated')"/><b><xsl:value-of select="../meta/witness[@id = current()/coverage/@witness]/@siglum"/></b></p>
    </xsl:if>
    <xsl:if test=".//commentary//note[@wits][not(tokenize((@words, @wits)[1]) = $usual)]">
      <p class="from usual"><xsl:value-of select="f:word('notes-usual')"/><b><xsl:value-of select="../meta/witness[@id = $usual]/@siglum"/></b></p>
    </xsl:if>
    <xsl:for-each select="f:correspondence(.)"><p class="from letter"><xsl:value-of select="."/></p></xsl:for-each>
    <xsl:call-template name="m:translators"/>
  </xsl:template>

  <xsl:template match="section" mode="m:block" as="element()">
    <xsl:param name="later" as="element()*" tunnel="yes" select="()"/>
    <section class="div {@kind}" id="{@id}">
      <xsl:if test="f:cited-otherwise(.)"><xsl:attribute name="data-ref" select="f:short(@ref)"/></xsl:if>
      <xsl:choose>
        <!-- To a parser that runs scripts its content is one text; without scripts it is there as in any section. -->
        <xsl:when test=". intersect $later"><noscript class="later"><xsl:call-template name="mp:section"><xsl:with-param name="later" select="()" tunnel="yes"/></xsl:call-template></noscript></xsl:when>
        <xsl:otherwise><xsl:call-template name="mp:section"/></xsl:otherwise>
      </xsl:choose>
    </section>
  </xsl:template>

  <!-- The content of a section. Context: the section. -->
  <xsl:template name="mp:section" as="node()*">
    <xsl:param name="usual" as="xs:string?" tunnel="yes" select="()"/>
    <xsl:variable name="from" as="xs:string?" select="f:from(., $usual)"/>
    <!-- A division without a title is named by its reference, which its first unit shows. -->
    <xsl:if test="empty(passage[@kind = 'head']) and @title ne ''">
      <h2 class="given"><a class="ref" href="#{@id}"><xsl:value-of select="f:short(@ref)"/></a><xsl:sequence select="f:shown(@title)"/></h2>
    </xsl:if>
    <xsl:if test="$from"><p class="from"><xsl:value-of select="f:word('notes-from')"/><b><xsl:value-of select="$from"/></b></p></xsl:if>
    <xsl:call-template name="m:blocks"><xsl:with-param name="from" select="$from" tunnel="yes"/></xsl:call-template>
    <xsl:call-template name="m:moves"/>
  </xsl:template>

  <!-- The blocks of a division. Statements of a leaf of the base text about itself (juan, book, compiler) are not the edition's
       own title and author: in an edition they are folded under a label. Context: a division. -->
  <xsl:template name="m:blocks" as="node()*">
    <xsl:param name="later" as="element()*" tunnel="yes" select="()"/>
    <xsl:variable name="critical" as="xs:boolean" select="exists(ancestor-or-self::*[last()]/meta/witness)"/>
    <xsl:for-each-group select="*" group-adjacent="if ($critical and (self::juan or self::furniture)) then 'leaf' else if (fp:is-cell(.) and not(. intersect $later)) then 'table' else if (. intersect $later[not(self::section)]) then 'later' else ''">
      <xsl:choose>
        <xsl:when test="current-grouping-key() eq 'leaf'">
          <details class="leaf"><summary><xsl:value-of select="f:word('leaf')"/></summary><xsl:apply-templates select="current-group()" mode="m:block"/></details>
        </xsl:when>
        <xsl:when test="current-grouping-key() eq 'table'">
          <table class="given">
            <xsl:for-each-group select="current-group()" group-starting-with="*[*[1]/@form = 'row']">
              <tr><xsl:for-each select="current-group()"><td><xsl:apply-templates select="." mode="m:block"/></td></xsl:for-each></tr>
            </xsl:for-each-group>
          </table>
        </xsl:when>
        <xsl:when test="current-grouping-key() eq 'later'">
          <div class="part"><noscript class="later"><xsl:apply-templates select="current-group()" mode="m:block"/></noscript></div>
        </xsl:when>
        <xsl:otherwise><xsl:apply-templates select="current-group()" mode="m:block"/></xsl:otherwise>
      </xsl:choose>
    </xsl:for-each-group>
  </xsl:template>

  <!-- Whether a passage is a cell of a table; the first of a row has the form row. -->
  <xsl:function name="fp:is-cell" as="xs:boolean">
    <xsl:param name="block" as="element()"/>
    <xsl:sequence select="exists($block/self::p:passage/*[1][@form = ('row', 'cell')])"/>
  </xsl:function>

  <xsl:template match="passage" mode="m:block" as="node()+">
    <div class="passage {string-join((@kind, if (@join) then 'join' else (), *[1]/@form/('form ' || replace(., '^(description) .*$', '$1')), *[1][@form][not(@number)]/'unnumbered'), ' ')}">
      <xsl:if test="@id"><xsl:attribute name="id" select="'p-' || @id"/></xsl:if>
      <xsl:if test="* except commentary">
        <xsl:for-each select="*[1]/@group"><p class="label group"><xsl:value-of select="."/></p></xsl:for-each>
        <div class="base"><xsl:for-each select="*[1]/@label"><span class="label"><xsl:value-of select="."/></span></xsl:for-each><xsl:apply-templates select="* except commentary" mode="m:block"/><xsl:call-template name="m:translated"/><xsl:call-template name="m:quoted-by"/></div>
      </xsl:if>
      <xsl:apply-templates select="commentary" mode="m:note"/>
    </div>
    <xsl:text>&#10;</xsl:text>
  </xsl:template>

  <xsl:template match="head" mode="m:block" as="element()">
    <xsl:element name="{if (../../self::chapter and empty(../preceding-sibling::passage[@kind = 'head'])) then 'h1' else 'h2'}">
      <xsl:copy-of select="@id"/>
      <xsl:call-template name="m:leaves"/>
      <xsl:apply-templates select="node()" mode="m:inline"/>
    </xsl:element>
  </xsl:template>

  <xsl:template match="unit" mode="m:block" as="element()">
    <p class="jing" id="{@id}">
      <xsl:if test="@wits"><xsl:attribute name="data-w" select="@wits"/></xsl:if>
      <xsl:if test="f:cited-otherwise(.)"><xsl:attribute name="data-ref" select="f:short(@ref)"/></xsl:if>
      <a class="ref" href="#{@id}" aria-label="{f:word('unit-link')} {@ref}"><xsl:call-template name="mp:number"/></a>
      <xsl:call-template name="m:leaves"/>
      <xsl:apply-templates select="node()" mode="m:inline"/>
    </p>
  </xsl:template>

  <!-- The reference of a unit, in two parts where it continues its division's: 6.3. and 2. Context: a unit. -->
  <xsl:template name="mp:number" as="node()+">
    <xsl:variable name="ref" as="xs:string" select="f:short(@ref)"/>
    <xsl:variable name="within" as="xs:string" select="f:short(ancestor::*[self::section or self::chapter][1]/@ref) || '.'"/>
    <xsl:choose>
      <xsl:when test="@again">·</xsl:when>
      <xsl:when test="starts-with($ref, $within) and $ref ne $within">
        <span class="of"><xsl:value-of select="$within"/></span><xsl:value-of select="substring-after($ref, $within)"/>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$ref"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="figure" mode="m:block" as="element()"><p class="figure"><xsl:call-template name="mp:picture"/></p></xsl:template>

  <xsl:template match="trailer | prose" mode="m:block" as="element()">
    <p class="{local-name()}">
      <xsl:copy-of select="@id"/>
      <xsl:call-template name="m:leaves"/>
      <xsl:apply-templates select="node()" mode="m:inline"/>
    </p>
  </xsl:template>

  <xsl:template match="juan | furniture" mode="m:block" as="element()">
    <p class="{local-name()}"><xsl:value-of select="@name"/><xsl:apply-templates select="node()" mode="m:inline"/></p>
  </xsl:template>

  <!-- Half-width punctuation of a Chinese text is drawn full-width, one cell as in GB/T 15834; the character itself stays. -->
  <xsl:template match="text()" mode="m:inline" as="node()*">
    <xsl:choose>
      <xsl:when test="$fp:composed and not($fp:letters) and matches(., $fp:word)">
        <xsl:analyze-string select="." regex="{$fp:word}">
          <xsl:matching-substring><span class="letters"><xsl:value-of select="."/></span></xsl:matching-substring>
          <xsl:non-matching-substring><xsl:call-template name="mp:drawn"/></xsl:non-matching-substring>
        </xsl:analyze-string>
      </xsl:when>
      <xsl:otherwise><xsl:call-template name="mp:drawn"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Words of another script than Chinese with letters that its font lacks, or has without their marks: a word is in one font. -->
  <xsl:variable name="fp:word" as="xs:string" select="
      '[A-Za-z’]*[&#xC0;-&#xD6;&#xD8;-&#xF6;&#xF8;-&#x10FF;&#x1200;-&#x1FFF;&#x2C80;-&#x2CFF;&#xFB1D;-&#xFDFF;&#xFE70;-&#xFEFC;&#x10330;-&#x1034F;][A-Za-z’&#xC0;-&#xD6;&#xD8;-&#xF6;&#xF8;-&#x10FF;&#x1200;-&#x1FFF;&#x2C80;-&#x2CFF;&#xFB1D;-&#xFDFF;&#xFE70;-&#xFEFC;&#x10330;-&#x1034F;]*'"/>
  <xsl:variable name="fp:composed" as="xs:boolean" select="not($fp:letters) and matches(string(/), $fp:word)"/>

  <!-- Some text of the page. Context: a string. -->
  <xsl:template name="mp:drawn" as="node()*">
    <xsl:choose>
      <xsl:when test="translate(., $fp:special, '') eq ."><xsl:value-of select="."/></xsl:when>
      <xsl:when test="not($fp:chinese)"><xsl:sequence select="f:shown(.)"/></xsl:when>
      <xsl:otherwise>
        <xsl:analyze-string select="." regex="[,;:?!]">
          <xsl:matching-substring>
            <span class="full" data-form="{translate(., ',;:?!', '，；：？！')}"><span><xsl:value-of select="."/></span></span>
          </xsl:matching-substring>
          <xsl:non-matching-substring><xsl:sequence select="f:shown(.)"/></xsl:non-matching-substring>
        </xsl:analyze-string>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>
  <!-- The characters of which a page shows more than the character itself. -->
  <xsl:variable name="fp:special" as="xs:string" select="',;:?!' || string-join(map:keys($v:substitutes))"/>
  <xsl:variable name="fp:letters" as="xs:boolean" select="not(matches((/*/@xml:lang, 'und')[1], '^(lzh|zh|ja|ko|vi|und|mul)'))"/>
  <xsl:variable name="fp:chinese" as="xs:boolean" select="matches(/*/@xml:lang, '^(lzh|zh)')"/>

  <xsl:template match="line" mode="m:inline" as="element()">
    <span class="line">
      <!-- Every fifth number is shown, and each that is no number alone. -->
      <xsl:if test="@n[. ne ''][f:numbered(.)]"><xsl:attribute name="data-n" select="@n"/></xsl:if>
      <xsl:apply-templates select="node()" mode="m:inline"/></span>
  </xsl:template>

  <xsl:function name="f:numbered" as="xs:boolean">
    <xsl:param name="n" as="xs:string"/>
    <!-- Of numbers such as 1.2.5 the last counts. -->
    <xsl:sequence select="not(matches($n, '^([0-9]+\.)*[0-9]+$')) or number(replace($n, '^.*\.', '')) mod 5 eq 0"/>
  </xsl:function>

  <xsl:template match="juan" mode="m:inline" as="element()"><small class="juan"><xsl:value-of select="@name"/></small></xsl:template>
  <xsl:template match="figure" mode="m:inline" as="element()"><small class="figure"><xsl:call-template name="mp:picture"/></small></xsl:template>

  <!-- A picture that the file names: shown if it is one of the web, else its address in words. Context: a figure. -->
  <xsl:template name="mp:picture" as="node()*">
    <xsl:if test="@image ! f:safe(.)"><a href="{f:safe(@image)}" target="_blank" rel="noreferrer" title="{@image}">▦</a><xsl:text> </xsl:text></xsl:if>
    <xsl:value-of select="."/>
    <xsl:if test="@image[not(f:safe(.))]"><xsl:text> </xsl:text><code><xsl:value-of select="@image"/></code></xsl:if>
  </xsl:template>
  <xsl:template match="space" mode="m:inline" as="element()"><span class="space"><xsl:value-of select="if ($fp:letters) then '&#x2003;' else '　'"/></span></xsl:template>

  <!-- Words with how they are read beside them, which is the note directly after them. -->
  <xsl:template match="span[@look = 'ruby'][following-sibling::node()[1]/self::note]" mode="m:inline" as="element()" priority="1">
    <xsl:variable name="after" as="node()?" select="following-sibling::node()[not(self::note)][1]"/>
    <ruby>
      <xsl:apply-templates select="node()" mode="m:inline"/>
      <xsl:for-each select="following-sibling::note[empty($after) or . &lt;&lt; $after][not(@subtype = ('okurigana', 'kaeriten'))]">
        <rp>（</rp><rt class="note" id="{@id}"><xsl:apply-templates select="node()" mode="m:inline"/></rt><rp>）</rp>
      </xsl:for-each>
    </ruby>
  </xsl:template>
  <xsl:template match="note[preceding-sibling::node()[not(self::note)][1]/self::span/@look = 'ruby']" mode="m:inline" priority="1"/>

  <!-- Japanese endings 送り仮名 and reading marks 返り点 beside a graph. -->
  <xsl:template match="note[@subtype = ('okurigana', 'kaeriten')][not($fp:letters)]" mode="m:inline" as="element()" priority="2">
    <small class="{@subtype}" id="{@id}"><xsl:apply-templates select="node()" mode="m:inline"/></small>
  </xsl:template>

  <xsl:template match="g" mode="m:inline" as="element()">
    <span class="g" title="U+{@code}{if (@standard = 'no') then ' ' || f:word('undecided') else ''}"><xsl:value-of select="."/></span>
  </xsl:template>

  <xsl:template match="gap" mode="m:inline" as="element()">
    <xsl:choose>
      <!-- What is lost in a text in letters is shown as its editions print it, and a space left free as a space. -->
      <xsl:when test="not(@rend) and $fp:letters"><span class="gap" title="{f:word('lost')}"><xsl:value-of select="if (@reason = 'blank') then '&#x2003;' else '[…]'"/></span></xsl:when>
      <xsl:otherwise><span class="gap" title="{f:word('lost')}"><xsl:value-of select="."/></span></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="corrected" mode="m:inline" as="element()+">
    <xsl:variable name="remark" as="xs:string?" select=".[f:explained(.)] ! f:remark(.)"/>
    <xsl:if test="node()"><ins><xsl:for-each select="$remark"><xsl:attribute name="class" select="'noted'"/><xsl:attribute name="title" select="."/></xsl:for-each><xsl:apply-templates select="node()" mode="m:inline"/></ins></xsl:if>
    <del title="{($remark[empty(current()/node())], f:word('was'))[1]}"><xsl:if test="$remark and empty(node())"><xsl:attribute name="class" select="'noted'"/></xsl:if><xsl:value-of select="@sic"/></del>
  </xsl:template>

  <xsl:template match="supplied" mode="m:inline" as="element()">
    <ins class="supplied{' lost'[current()/@lost]}{' noted'[f:explained(current())]}" title="{(.[f:explained(.)] ! f:remark(.), f:word('supplied'))[1]}"><xsl:apply-templates select="node()" mode="m:inline"/></ins>
  </xsl:template>

  <!-- A bracket of the source: printed, but not a word of the text. -->
  <xsl:template name="m:bracket" as="element()?">
    <xsl:param name="with" as="xs:string" required="yes"/>
    <xsl:if test="$with"><span class="bracket"><xsl:value-of select="$with"/></span></xsl:if>
  </xsl:template>

  <xsl:template match="span" mode="m:inline" as="element()">
    <xsl:param name="page" as="xs:string" tunnel="yes" select="''"/>
    <xsl:variable name="source" as="xs:string?" select="(f:source(., $page), @address ! f:safe(.))[1]"/>
    <xsl:element name="{if (@role = ('scope', 'call') and @to or $source) then 'a' else if (@role = 'title') then 'cite' else 'span'}">
      <xsl:attribute name="class" select="string-join((@role, @look[../@role = 'hi']), ' ')"/>
      <xsl:if test="@role = 'foreign'"><xsl:attribute name="title" select="'&lt;' || @look || '&gt;'"/></xsl:if>
      <xsl:if test="$source"><xsl:attribute name="href" select="$source"/></xsl:if>
      <xsl:if test="$source and not(@address)">
        <xsl:attribute name="title" select="f:word('stands-in') || ' ' || (if (@from-text) then @from-ref else f:short(@from-ref))"/>
      </xsl:if>
      <xsl:if test="@role = ('scope', 'call') and @to"><xsl:attribute name="href" select="f:href(@to-page, @to, $page)"/></xsl:if>
      <xsl:call-template name="m:bracket"><xsl:with-param name="with" select="substring(@rend, 1, 1)"/></xsl:call-template>
      <xsl:apply-templates select="node()" mode="m:inline"/>
      <xsl:call-template name="m:bracket"><xsl:with-param name="with" select="substring(@rend, 2)"/></xsl:call-template>
    </xsl:element>
  </xsl:template>

  <!-- Pictures of the print: a link at the unit, comment, head or trailer in which, or with which, a leaf begins. -->
  <xsl:key name="fp:leaf" match="leaf" use="@on"/>

  <!-- Context: an element with an id. -->
  <xsl:template name="m:leaves" as="element()*">
    <xsl:variable name="id" as="xs:string" select="string(@id)"/>
    <xsl:for-each select="$v:leaves ! key('fp:leaf', $id, .)[f:safe(@image)]">
      <a class="leafpage" href="{f:safe(@image)}" target="_blank" rel="noreferrer" title="{f:word('page-image')} {@ed} {@n}" aria-label="{f:word('page-image')} {@ed} {@n}"><xsl:value-of select="(@n[. ne ''], '▦')[1]"/></a>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
