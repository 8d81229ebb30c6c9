<?xml version="1.0" encoding="UTF-8"?>
<!-- The numbers of the variants and the sentences of the apparatus (mode m:entry). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:v="urn:jiaokan:variables" xmlns:mp="urn:jiaokan:private" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:entry" on-no-match="fail" on-multiple-match="fail"/>

  <!-- Number after the words of this element and its entry at the foot, if one is printed. -->
  <xsl:template name="m:mark">
    <xsl:if test="f:noted(.)">
      <xsl:variable name="sign" as="xs:string" select="f:typst(fp:sign(.))"/>
      <!-- The letter of a note is among those of the text. -->
      <xsl:if test="self::p:note and $keys ne 'line' and $v:through ne 'page' and matches(fp:sign(.), '^〔[a-z]')">
        <b:printed><xsl:value-of select="translate(fp:sign(.), '〔〕', '')"/></b:printed>
      </xsl:if>
      <xsl:choose>
        <xsl:when test="$v:apparatus ne 'foot'"><xsl:text expand-text="yes">mark({$sign});</xsl:text></xsl:when>
        <xsl:otherwise>
          <xsl:for-each select="self::p:app[f:verse-number(.) eq ''] ! fp:counted(.)[not(matches(fp:piece-before(current()), fp:ending(.)))]">
            <xsl:text expand-text="yes">occurs({f:typst(.)});</xsl:text>
          </xsl:for-each>
          <b:run kind="entry" place="{f:place-of(.)}" sign="{fp:sign(.)}" series="{fp:series(.)}">
            <xsl:text expand-text="yes">entry({$sign}, {accumulator-after('fp:running')}, {fp:takes(.)}, shares, </xsl:text>
            <xsl:sequence select="fp:worded(., accumulator-after('fp:running'))"/>
            <xsl:text expand-text="yes">{fp:series(.)[. ne 'variant'] ! (', series: ' || f:typst(.))}{', touches: true'[current()/accumulator-after('fp:since')[2] eq 0]});</xsl:text>
          </b:run>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:if>
  </xsl:template>

  <!-- The sign of an entry, and its words as Typst code. -->
  <xsl:function name="fp:sign" as="xs:string">
    <xsl:param name="marked" as="element()"/>
    <xsl:sequence select="if ($marked/(self::p:app, self::p:corrected[f:as-variant(.)])) then f:sign($marked) else if ($marked/self::p:move) then '※'
        else if ($marked/self::p:note) then f:band-sign($marked)
        else f:remark-sign($marked)"/>
  </xsl:function>

  <xsl:function name="fp:worded" as="node()+">
    <xsl:param name="marked" as="element()"/>
    <xsl:param name="running" as="xs:integer?"/>
    <xsl:variable name="corrected" as="element()?" select="$marked/self::p:corrected[f:as-variant(.)]"/>
    <xsl:variable name="remark" as="xs:boolean" select="exists($marked[self::p:corrected or self::p:supplied] except $corrected)"/>
    <xsl:text expand-text="yes">{if ($remark) then 'remark({' else '{'}</xsl:text>
    <xsl:apply-templates select="$marked/self::p:app/f:entry(.)" mode="m:entry">
      <xsl:with-param name="numbered" tunnel="yes" select="$keys ne 'line' and not(f:verse-number($marked) ne '')"/>
      <xsl:with-param name="lemma" tunnel="yes" select="normalize-space(string-join($marked/self::p:app//text()[not(ancestor::p:note or ancestor::p:other)]))"/>
      <xsl:with-param name="running" tunnel="yes" select="$running"/>
      <xsl:with-param name="counted" tunnel="yes" select="$marked/self::p:app[f:verse-number(.) eq ''] ! fp:counted(.)"/>
    </xsl:apply-templates>
    <xsl:apply-templates select="$marked/self::p:note/node()" mode="m:inline"/>
    <xsl:for-each select="$corrected">
      <xsl:sequence select="f:set-words(f:right(.) || '] ' || @sic || ' ')"/>
      <xsl:text>editorial(</xsl:text><xsl:sequence select="f:literal('sic')"/><xsl:text>);</xsl:text>
      <xsl:if test="@evidence ne ''"><xsl:sequence select="f:with-sigla(f:word('book-after-evidence', map{'evidence': f:basis(.)}), root(.))"/></xsl:if>
    </xsl:for-each>
    <xsl:sequence select="$marked[not(self::p:app or self::p:note)][empty($corrected)] ! f:with-sigla((@said, f:remark(.))[1], root(.))"/>
    <xsl:text expand-text="yes">{if ($remark) then '})' else '}'}</xsl:text>
  </xsl:function>

  <!-- The paragraph at the foot to which an entry belongs. -->
  <xsl:function name="fp:series" as="xs:string">
    <xsl:param name="marked" as="element()"/>
    <xsl:sequence select="if ($marked/self::p:corrected[f:as-variant(.)]) then 'variant' else if ($marked/(self::p:corrected, self::p:supplied)) then 'remark'
        else if ($marked/self::p:note) then f:band($marked)
        else if ($series eq 'weight' and $marked/self::p:app and xs:integer($marked/@rank) lt $v:levels('substantive')) then 'writing'
        else 'variant'"/>
  </xsl:function>

  <!-- How many cells it takes there. -->
  <xsl:function name="fp:takes" as="xs:decimal">
    <xsl:param name="marked" as="element()"/>
    <xsl:variable name="entry" as="element(p:entry)?" select="$marked/self::p:app/f:entry(.)"/>
    <xsl:sequence select="fp:cells(
        if ($entry) then fp:sign($marked) || string-join(($entry, $entry/descendant::p:entry[not(@in)]) ! ((f:bracketed(.), string(p:sentence))[1], p:comment ! string()))
        else fp:sign($marked) || (if ($marked/self::p:note) then string($marked) else ($marked/@said, f:remark($marked))[1]), f:in-letters($marked))"/>
  </xsl:function>

  <!-- Characters of a paragraph before a place in it; a number takes the room of two. -->
  <xsl:accumulator name="fp:before" as="xs:decimal" initial-value="0">
    <xsl:accumulator-rule match="p:passage[not(parent::p:section[f:runs-on(.)]/preceding-sibling::*[1]/self::p:section[f:runs-on(.)])] | p:note[not(ancestor::p:note or ancestor::p:unit)]" select="0"/>
    <xsl:accumulator-rule match="text()[not(ancestor::p:other or ancestor::p:note[f:is-band(.)])]" select="$value + string-length(.)"/>
    <xsl:accumulator-rule phase="end" match="(p:app | p:move | p:corrected | p:supplied | p:note)[f:noted(.)]"
        select="$value + 1.8"/>
  </xsl:accumulator>

  <!-- Characters since the number before, and between that number and this one. -->
  <xsl:accumulator name="fp:since" as="xs:integer+" initial-value="99, 99">
    <xsl:accumulator-rule match="p:passage" select="99, 99"/>
    <xsl:accumulator-rule match="text()[not(ancestor::p:other or ancestor::p:note[f:is-band(.)])]" select="$value[1] + string-length(.), 99"/>
    <xsl:accumulator-rule phase="end" match="(p:app | p:move | p:corrected | p:supplied | p:note)[f:noted(.)]"
        select="0, $value[1]"/>
  </xsl:accumulator>

  <!-- The elements of a paragraph that have an entry at the foot. -->
  <xsl:function name="fp:marked" as="element()*">
    <xsl:param name="words" as="element()*"/>
    <xsl:sequence select="
        $words//(p:app | p:move | p:corrected | p:supplied | p:note)[f:noted(.)]
        [$v:apparatus eq 'foot'][not(ancestor::p:other)]"/>
  </xsl:function>

  <!-- The entries of a paragraph, for Typst's function places: number, cells, series, characters before it. -->
  <xsl:function name="f:entries" as="xs:string">
    <xsl:param name="words" as="element()*"/>
    <xsl:variable name="marked" as="element()*" select="fp:marked($words)"/>
    <xsl:sequence select="if (empty($marked)) then '' else '(' || string-join(
        for $marked in sort($marked, (), function($each) { $each/accumulator-after('fp:running') })
        return '(' || string-join(($marked/accumulator-after('fp:running'), fp:takes($marked),
            f:typst(fp:series($marked)), $marked/accumulator-after('fp:before')), ', ') || '),') || ')'"/>
  </xsl:function>

  <!-- The beginning of a paragraph with `columns` characters to a line: the places of its entries' shares. -->
  <xsl:function name="f:shares" as="xs:string">
    <xsl:param name="columns" as="xs:string"/>
    <xsl:param name="words" as="element()*"/>
    <xsl:variable name="entries" as="xs:string" select="f:entries($words)"/>
    <xsl:sequence select="if ($entries eq '') then '' else 'let shares = places(' || string-join(
        ($columns, $words[last()]/accumulator-after('fp:before'), $entries), ', ') || ');anchored(shares.start);'"/>
  </xsl:function>

  <!-- The beginning of a line of verse: all its entries have their shares where it begins. -->
  <xsl:function name="f:line-shares" as="xs:string">
    <xsl:param name="line" as="element()"/>
    <xsl:variable name="entries" as="xs:string" select="f:entries($line)"/>
    <xsl:sequence select="if ($entries eq '') then '' else 'let shares = places(1000, 1, ' || $entries || ');anchored(shares.start);'"/>
  </xsl:function>

  <!-- The room at the foot for the entries among the first `characters`; empty if there are none. -->
  <xsl:function name="f:foot-room" as="xs:string">
    <xsl:param name="characters" as="xs:string"/>
    <xsl:param name="words" as="element()*"/>
    <xsl:variable name="entries" as="xs:string" select="f:entries($words)"/>
    <xsl:sequence select="if ($entries eq '') then '' else ' + foot-room(' || $characters || ', ' || $entries || ')'"/>
  </xsl:function>

  <!-- The numbers of the entries of a paragraph, as an argument; empty if it has none. -->
  <xsl:function name="f:entry-numbers" as="xs:string">
    <xsl:param name="words" as="element()*"/>
    <xsl:sequence select="string-join(fp:marked($words)/accumulator-after('fp:running') ! (. || ','))[. ne ''] ! (', entries: (' || . || ')') => string()"/>
  </xsl:function>

  <!-- Width of words in full cells: letters and digits take half of one, so does of two marks of punctuation that
       meet the one (标点挤压), and the brackets of a number. -->
  <xsl:function name="fp:cells" as="xs:decimal">
    <xsl:param name="words" as="xs:string"/>
    <xsl:param name="letters" as="xs:boolean"/>
    <xsl:variable name="narrow" as="xs:integer" select="string-length(replace($words, '[^ -~]', ''))"/>
    <xsl:variable name="meet" as="xs:integer" select="count(tokenize($words, '[」』）》〉，、。；：][「『（《〈」』）》〉，、。；：]'))"/>
    <xsl:sequence select="if ($letters) then 0.46 * string-length(replace(normalize-unicode($words, 'NFC'), '\p{M}', ''))
        else string-length($words) - 0.5 * $narrow - 0.5 * ($meet - 1) - 1"/>
  </xsl:function>

  <xsl:template match="p:entry" mode="m:entry">
    <xsl:variable name="bracketed" as="xs:string?" select="f:bracketed(.)"/>
    <xsl:sequence select="$bracketed ! f:with-sigla(., root(current()))"/>
    <xsl:choose>
      <xsl:when test="f:in-letters(.) and not($v:chinese)"><xsl:apply-templates select="p:sentence ! f:grouped-sigla(fp:without-printed(.))" mode="m:entry"/></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="p:sentence[empty($bracketed)]/node()" mode="m:entry"/></xsl:otherwise>
    </xsl:choose>
    <xsl:apply-templates select="p:comment/node()" mode="m:entry"/>
    <xsl:if test="exists(f:within(.))"><xsl:sequence select="f:set-words(f:word('book-within-entry'))"/></xsl:if>
    <xsl:apply-templates select="f:within(.)" mode="m:entry"/>
  </xsl:template>

  <!-- A sentence without the remark that what is printed is silent: [silent: text]. -->
  <xsl:function name="fp:without-printed" as="element(p:sentence)">
    <xsl:param name="sentence" as="element(p:sentence)"/>
    <xsl:variable name="silent" as="element(p:siglum)*" select="$sentence/p:siglum[@id = root($sentence)/p:text/p:meta/p:witness[@printed]/@id]
        [matches(preceding-sibling::node()[1]/self::text(), '\[[^\[\]]+: $')][matches(following-sibling::node()[1]/self::text(), '^\]')]"/>
    <xsl:variable name="rest" as="element(p:sentence)">
      <p:sentence>
        <xsl:for-each select="$sentence/node() except $silent">
          <xsl:choose>
            <xsl:when test="following-sibling::node()[1] = $silent or preceding-sibling::node()[1] = $silent">
              <xsl:value-of select="replace(replace(., ' ?\[[^\[\]]+: $', ''), '^\]', '')"/>
            </xsl:when>
            <xsl:otherwise><xsl:copy-of select="."/></xsl:otherwise>
          </xsl:choose>
        </xsl:for-each>
      </p:sentence>
    </xsl:variable>
    <xsl:sequence select="if ($silent) then $rest else $sentence"/>
  </xsl:function>

  <xsl:template match="text()" mode="m:entry">
    <xsl:choose>
      <xsl:when test="$v:chinese"><xsl:sequence select="f:set-words(f:wide(.))"/></xsl:when>
      <xsl:otherwise>
        <!-- The bracket after a lemma is close to it. The editor's words (om., add.) are in italics. -->
        <xsl:for-each select="analyze-string(replace(., '^ \]', ']'), '\p{L}[\p{L}\p{M}.]*( \p{L}[\p{L}\p{M}.]*)*')/*">
          <xsl:choose>
            <xsl:when test="self::*:match">
              <xsl:text>editorial(</xsl:text>
              <xsl:sequence select="f:literal(.)"/>
              <xsl:text>);</xsl:text>
            </xsl:when>
            <xsl:otherwise><xsl:sequence select="f:set-words(.)"/></xsl:otherwise>
          </xsl:choose>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Sigla in the editor's own words are whole, too. -->
  <xsl:template match="p:comment/text()" mode="m:entry">
    <xsl:sequence select="f:with-sigla(., root(.))"/>
  </xsl:template>

  <!-- Words as Typst code that never divides a siglum of this book. A siglum is text, not a pattern, and none is inside a word. -->
  <xsl:function name="f:with-sigla" as="node()*">
    <xsl:param name="words" as="xs:string"/>
    <xsl:param name="book" as="node()"/>
    <xsl:variable name="sigla" as="xs:string*" select="sort($book/p:text/p:meta/p:witness/@siglum[string-length() gt 1], (), function($siglum) { -string-length($siglum) })
        ! fp:literal(.)"/>
    <xsl:for-each select="analyze-string(f:wide($words), string-join(($sigla, '&#xE000;'), '|'))/*">
      <xsl:choose>
        <xsl:when test="self::*:match and not(fp:in-word(.))">
          <xsl:text>siglum(</xsl:text>
          <xsl:sequence select="f:literal(.)"/>
          <xsl:text>);</xsl:text>
        </xsl:when>
        <xsl:otherwise>
          <xsl:if test="matches(., '^[；：？！]')">joiner;</xsl:if>
          <xsl:sequence select="f:set-words(.)"/>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:for-each>
  </xsl:function>

  <!-- A siglum as a regular expression of its own characters, whose marks f:wide may have made full width. -->
  <xsl:function name="fp:literal" as="xs:string">
    <xsl:param name="siglum" as="xs:string"/>
    <xsl:variable name="narrow" as="xs:string" select="',;:!?()&lt;&gt;'"/>
    <xsl:variable name="wide" as="xs:string" select="'，；：！？（）＜＞'"/>
    <xsl:sequence select="string-join(for $char in string-to-codepoints($siglum) ! codepoints-to-string(.)
        return if (contains($narrow, $char)) then '[' || $char || translate($char, $narrow, $wide) || ']' else replace($char, '[\\|.?*+(){}\[\]^$\-]', '\\$0'))"/>
  </xsl:function>

  <!-- Whether a match begins or ends inside a word of letters or a number. Chinese characters are words each. -->
  <xsl:function name="fp:in-word" as="xs:boolean">
    <xsl:param name="match" as="element()"/>
    <xsl:variable name="word" as="xs:string" select="'[\p{L}\p{M}\p{N}-[\p{Lo}]]'"/>
    <xsl:sequence select="
        matches($match, '^' || $word) and matches($match/preceding-sibling::node()[1], $word || '$')
        or matches($match, $word || '$') and matches($match/following-sibling::node()[1], '^' || $word)"/>
  </xsl:function>

  <!-- An entry whose sentence says no more than lemma, readings and sigla, in the form of the critical editions in Latin
       letters: 賔］宾 本义. Any other keeps its sentence. -->
  <xsl:function name="f:bracketed" as="xs:string?">
    <xsl:param name="entry" as="element(p:entry)"/>
    <xsl:variable name="sentence" as="xs:string" select="string($entry/p:sentence)"/>
    <xsl:variable name="clause" as="xs:string" select="'([^「」，；。]+)作「([^「」]+)」'"/>
    <xsl:variable name="differ" as="xs:string" select="'^「([^「」]+)」，(' || $clause || '([；，]' || $clause || ')*)。'"/>
    <xsl:variable name="lack" as="xs:string" select="'^([^「」，；。]+)无「([^「」]+)」。'"/>
    <xsl:sequence select="
        if ($entries ne 'bracket') then ()
        else if (matches($sentence, $differ)) then replace($sentence, $differ || '.*$', '$1］', 's') ||
          string-join(analyze-string(replace($sentence, $differ || '.*$', '$2', 's'), $clause)/*:match ! (*:group[2] || ' ' || *:group[1]), '；')
          || '。' || replace($sentence, $differ, '')
        else if (matches($sentence, $lack)) then replace($sentence, $lack, '$2］' || f:word('book-omits') || ' $1。')
        else ()"/>
  </xsl:function>

  <!-- Words of a witness keep their script. What is lost has the sign that the text has. -->
  <xsl:template match="p:q" mode="m:entry">
    <xsl:text>quoted(</xsl:text>
    <xsl:sequence select="f:literal(if (f:in-letters(.)) then replace(., '〓', '[…]') else f:wide(.))"/>
    <xsl:text>);</xsl:text>
  </xsl:template>

  <!-- Which of the same words they are: their number among those of the line of the page, if entries are found by it; none if
       the number of the entry is at its words. -->
  <xsl:template match="p:sentence/*[1][self::p:q][matches(., '[⁰¹²³⁴-⁹]$')]" mode="m:entry" priority="1">
    <xsl:param name="numbered" tunnel="yes" as="xs:boolean" select="false()"/>
    <xsl:param name="lemma" tunnel="yes" as="xs:string" select="''"/>
    <xsl:param name="counted" tunnel="yes" as="xs:string?" select="()"/>
    <xsl:param name="running" tunnel="yes" as="xs:integer?" select="()"/>
    <xsl:variable name="bare" as="xs:boolean" select="exists($counted) or $numbered and not(matches($lemma, '[⁰¹²³⁴-⁹]$'))"/>
    <xsl:text>quoted(</xsl:text>
    <xsl:sequence select="f:literal(if ($bare) then replace(., '[⁰¹²³⁴-⁹]+$', '') else replace(., '〓', '[…]'))"/>
    <xsl:text expand-text="yes">);{$counted[exists($running)] ! ('ordinal(' || f:typst(.) || ', ' || $running || ');')}</xsl:text>
  </xsl:template>

  <!-- Words that come again in their unit or note and have an entry that is found by its line, with that unit: counted on the
       page (apparatus.typ). Empty for others. -->
  <xsl:function name="fp:counted" as="xs:string?">
    <xsl:param name="app" as="element(p:app)"/>
    <xsl:variable name="q" as="element(p:q)?" select="f:entry($app)/p:sentence/*[1]/self::p:q[matches(., '[⁰¹²³⁴-⁹]$')]"/>
    <xsl:variable name="words" as="xs:string" select="replace($q, '[⁰¹²³⁴-⁹]+$', '')"/>
    <xsl:sequence select="if ($keys eq 'line' and exists($q) and not(contains($words, '…')))
        then generate-id($app/ancestor::*[self::p:unit or self::p:note][last()]) || ' ' || $words else ()"/>
  </xsl:function>
  <xsl:key name="fp:counted" match="p:app[f:in-letters(.)][f:noted(.)][f:verse-number(.) eq '']" use="fp:counted(.) ! substring-before(., ' ')"/>

  <!-- The piece of text at whose end an entry is: of its lemma, or before an addition. Words in several pieces are marked at
       the entry only. -->
  <xsl:function name="fp:piece-before" as="xs:string">
    <xsl:param name="app" as="element(p:app)"/>
    <xsl:variable name="lemma" as="text()*" select="$app//text()[normalize-space()][not(ancestor::p:note or ancestor::p:other or ancestor::p:entry)]"/>
    <xsl:sequence select="string(($lemma[last()], $app[empty($lemma)]/preceding-sibling::node()[1]/self::text())[1])"/>
  </xsl:function>

  <!-- What words end with that are counted, or an addition follows. -->
  <xsl:function name="fp:ending" as="xs:string">
    <xsl:param name="counted" as="xs:string"/>
    <xsl:sequence select="'(^|[^\p{L}\p{M}])' || fp:literal(substring-after($counted, ' ')) || '\s*$'"/>
  </xsl:function>

  <!-- Words of the text, with a mark after each that is counted: one before it would be at the end of the line before. -->
  <xsl:function name="f:with-counts" as="node()*">
    <xsl:param name="text" as="text()"/>
    <xsl:param name="words" as="xs:string"/>
    <xsl:variable name="within" as="element()?" select="$text/ancestor::*[self::p:unit or self::p:note][last()][$keys eq 'line']"/>
    <xsl:variable name="counted" as="xs:string*" select="distinct-values($within/key('fp:counted', generate-id(.)) ! fp:counted(.))"/>
    <xsl:choose>
      <xsl:when test="empty($counted)"><xsl:sequence select="f:set-words($words)"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="analyze-string($words, $fp:word)/*">
          <xsl:variable name="before" as="xs:string" select="string-join((preceding-sibling::*, .))"/>
          <xsl:sequence select="f:set-words(.)"/>
          <xsl:for-each select="self::*:match/$counted[matches($before, fp:ending(.))]">
            <xsl:text expand-text="yes">occurs({f:typst(.)});</xsl:text>
          </xsl:for-each>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:function>
  <xsl:variable name="fp:word" as="xs:string" select="'[\p{L}\p{M}]+'"/>

  <xsl:template match="p:siglum" mode="m:entry">
    <!-- On the line of the lemma before it or after it: 「賔」，集编 …; 集编「曰」下有 … -->
    <xsl:value-of select="'joiner;'[matches(current()/preceding-sibling::node()[1]/self::text(), '」，$')]"/>
    <xsl:text>siglum(</xsl:text>
    <xsl:sequence select="f:literal(.)"/>
    <xsl:text>);</xsl:text>
    <xsl:value-of select="'joiner;'[matches(current()/following-sibling::node()[1]/self::text(), '^[「；：？！]')]"/>
  </xsl:template>

  <xsl:template match="p:class" mode="m:entry">
    <xsl:text>variant-class(</xsl:text>
    <xsl:sequence select="f:literal(.)"/>
    <xsl:text>);</xsl:text>
  </xsl:template>

  <xsl:template match="p:move" mode="m:inline">
    <xsl:call-template name="m:mark"/>
  </xsl:template>

  <!-- Context: a division. 校勘记 at its end, if that is where it belongs: in a chapter, that of all its sections. -->
  <xsl:template name="m:endnotes">
    <xsl:variable name="within" as="element()*" select="
        if ($v:apparatus eq 'section') then * except p:section
        else if ($v:apparatus eq 'chapter' and self::p:chapter) then * else ()"/>
    <xsl:call-template name="mp:series">
      <xsl:with-param name="title" select="f:word('book-apparatus')"/>
      <xsl:with-param name="collation" select="string(@collation[$v:apparatus eq 'chapter'])"/>
      <xsl:with-param name="marked" select="$within/descendant-or-self::*[self::p:app[f:printed(.)] or self::p:move[@said]]"/>
    </xsl:call-template>
    <xsl:call-template name="mp:series">
      <xsl:with-param name="title" select="f:word('book-corrections')"/>
      <xsl:with-param name="marked" select="$within/descendant-or-self::*[self::p:corrected or self::p:supplied][f:explained(.)]"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="mp:series">
    <xsl:param name="title" as="xs:string" required="yes"/>
    <xsl:param name="marked" as="element()*" required="yes"/>
    <xsl:param name="collation" as="xs:string" select="''"/>
    <xsl:if test="exists($marked)">
      <xsl:text expand-text="yes">#endnotes({f:typst($title)}, (</xsl:text>
      <xsl:for-each-group select="$marked" group-adjacent="generate-id(ancestor::*[self::p:section or self::p:chapter][1])">
        <xsl:variable name="division" as="element()" select="ancestor::*[self::p:section or self::p:chapter][1]"/>
        <xsl:text expand-text="yes">({f:typst(if ($v:apparatus eq 'chapter') then $division/@title else '')}, (</xsl:text>
        <!-- In the order of their numbers in the text: an inner one precedes the outer one. -->
        <xsl:apply-templates select="current-group()" mode="m:endnote"><xsl:sort select="accumulator-after('fp:running')" data-type="number"/></xsl:apply-templates>
        <xsl:text>)),</xsl:text>
      </xsl:for-each-group>
      <xsl:text expand-text="yes">), collation: {f:typst($collation)})&#10;</xsl:text>
    </xsl:if>
  </xsl:template>

  <xsl:mode name="m:endnote" on-no-match="fail"/>

  <xsl:template match="p:app | p:move | p:corrected | p:supplied" mode="m:endnote">
    <b:run kind="entry" place="{f:place-of(.)}" sign="{fp:sign(.)}">
      <xsl:text expand-text="yes">({f:typst(fp:sign(.))}, </xsl:text>
      <xsl:sequence select="fp:worded(., ())"/>
      <xsl:text>),</xsl:text>
    </b:run>
  </xsl:template>

</xsl:stylesheet>
