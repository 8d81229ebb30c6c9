<?xml version="1.0" encoding="UTF-8"?>
<!-- Shared by the printed layouts and the word processor's file: which entries are printed, their numbers, references. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="emendations.xsl"/>

  <xsl:key name="fp:entry" match="p:entry" use="@id"/>

  <!-- Whether a text is in letters: words with spaces between them, not graphs in cells (characters/scripts.toml). -->
  <xsl:function name="f:in-letters" as="xs:boolean">
    <xsl:param name="of" as="node()"/>
    <xsl:sequence select="exists(root($of)/p:text/@script)"/>
  </xsl:function>

  <!-- Whether a passage is a cell of a table; the first of a row has the form row. -->
  <xsl:function name="f:is-cell" as="xs:boolean">
    <xsl:param name="block" as="element()"/>
    <xsl:sequence select="exists($block/self::p:passage/*[1][@form = ('row', 'cell')])"/>
  </xsl:function>

  <!-- Lines of verse of which a plain text says no more than that they are lines: in letters, each a section or a paragraph of its own
       with one short unit. They are set as verse, with the number of the section or unit. A line of verse has 60 letters at most
       (the longest of the Odyssey, 58); prose has longer paragraphs. -->
  <xsl:key name="fp:lineated" use="generate-id()" match="(p:chapter | p:section)[f:in-letters(.)][count(f:possible-lines(.)) ge 4]
      [every $line in f:possible-lines(.) satisfies $line[@title eq '' or self::p:passage]/(self::p:passage, p:passage)[count(*) eq 1]/p:unit[not(@verse or @form)][string-length() le 80]]
      [sum(f:possible-lines(.) ! string-length((self::p:passage, p:passage)[1]/p:unit)) le 60 * count(f:possible-lines(.))]"/>

  <xsl:function name="f:possible-lines" as="element()*">
    <xsl:param name="division" as="element()"/>
    <xsl:sequence select="if ($division/p:section) then $division/p:section else $division/p:passage[not(@kind = ('head', 'trailer'))]"/>
  </xsl:function>

  <xsl:function name="f:is-line" as="xs:boolean">
    <xsl:param name="block" as="element()"/>
    <xsl:sequence select="f:in-letters($block) and exists($block[self::p:section or self::p:passage[not(@kind = ('head', 'trailer'))]][key('fp:lineated', generate-id(..))])"/>
  </xsl:function>

  <!-- The number of the verse in which something is; empty if it is in none, or in one without a number. -->
  <xsl:function name="f:verse-number" as="xs:string">
    <xsl:param name="of" as="element()"/>
    <xsl:sequence select="if (not(f:in-letters($of))) then ''
        else if ($of/ancestor-or-self::p:line) then string($of/ancestor-or-self::p:line[1]/@n)
        else string(($of/ancestor-or-self::*[self::p:section or self::p:passage][f:is-line(.)])[last()]/f:line-number(.))"/>
  </xsl:function>

  <xsl:function name="f:line-number" as="xs:string">
    <xsl:param name="line" as="element()"/>
    <xsl:sequence select="string(($line/self::p:section/@n, $line/p:unit/@n)[1])"/>
  </xsl:function>

  <!-- What is collated, if it is the same for all chapters of a book in letters: that is said once, with the sigla. -->
  <xsl:key name="f:collated-once" match="p:text[f:in-letters(.)][count(distinct-values(p:chapter/string(@collation))) eq 1]" use="string(p:chapter[1]/@collation)"/>

  <!-- Whether a chapter of a text in letters has verses with numbers. -->
  <xsl:key name="fp:versed" match="p:chapter[descendant::p:line[@n ne '']]" use="string(@id)"/>

  <!-- Sections that only cite parts of a paragraph (chapter and verse, book, chapter and section): untitled, each with one paragraph
       of prose, in a section of somebody else's file. They run on in one paragraph, with their references in the margin. -->
  <xsl:function name="f:runs-on" as="xs:boolean">
    <xsl:param name="section" as="element(p:section)"/>
    <xsl:sequence select="f:in-letters($section) and exists($section[parent::p:section][@title eq ''][@n ne ''][not(p:section)][count(p:passage) eq 1][not(* except (p:passage, p:apparatus))]
        /p:passage[count(*) eq 1]/p:unit[not(@verse or @form)][ancestor::p:text/p:meta/p:stated])"/>
  </xsl:function>

  <!-- Whether an element of the text has an entry or note among those that are printed. -->
  <xsl:function name="f:noted" as="xs:boolean">
    <xsl:param name="marked" as="element()"/>
    <xsl:sequence select="exists($marked/(self::p:app[f:printed(.)], self::p:move[@said], self::p:corrected[f:explained(.) or f:as-variant(.)],
        self::p:supplied[f:explained(.)], self::p:note[f:is-band(.)]))"/>
  </xsl:function>

  <!-- The number of an entry in the book: edition.typ collects entries by page. -->
  <xsl:accumulator name="fp:running" as="xs:integer" initial-value="0">
    <xsl:accumulator-rule phase="end" match="(p:app | p:move | p:corrected | p:supplied | p:note)[f:noted(.)]"
        select="$value + 1"/>
  </xsl:accumulator>

  <!-- Chapters that are on the average shorter than a page follow each other: a press gives each 篇 a page of its own, but
       not each 章 of the 老子. A page of commentary has some 1,200 characters; of base text, 1.7 times as large, fewer. In letters
       chapters of up to three pages do, of some 2,000 letters: poems and scenes. The plan may have it otherwise. -->
  <xsl:key name="f:short" match="p:text" use="count(p:chapter) gt 1 and (if ($opening ne 'auto') then $opening eq 'run'
      else if (f:in-letters(.)) then sum(p:chapter//(p:unit | p:note) ! string-length()) lt 6000 * count(p:chapter)
      else 1.7 * sum(p:chapter//p:unit ! string-length()) + sum(p:chapter//p:note ! string-length()) lt 1200 * count(p:chapter))"/>

  <!-- Whether a chapter is hardly more than its heading (a lost one, 〈阙〉; the names of those who made a book): the next goes on
       below it, as its page would be empty. Not if the plan has each on a page. -->
  <xsl:function name="f:is-heading" as="xs:boolean">
    <xsl:param name="chapter" as="element(p:chapter)"/>
    <xsl:sequence select="$opening eq 'auto' and exists($chapter/following-sibling::p:chapter) and empty(key('f:short', true(), root($chapter))) and empty($chapter//(p:unit | p:note | p:prose | p:figure))
        and string-length($chapter) le 200"/>
  </xsl:function>

  <!-- The number of an entry in its chapter (of short ones in the book) or, if each section has its 校勘记, in its section: the printed number, so that no
       number occurs twice on a page. -->
  <xsl:accumulator name="fp:number" as="xs:integer" initial-value="0">
    <xsl:accumulator-rule select="0"
        match="p:chapter[not($v:apparatus eq 'foot' and key('f:short', true()))] | p:section[$v:through eq 'section']"/>
    <xsl:accumulator-rule phase="end" match="p:app[f:printed(.)] | p:corrected[f:as-variant(.)]" select="$value + 1"/>
  </xsl:accumulator>

  <!-- The editor's notes, numbered separately. -->
  <xsl:accumulator name="fp:remark" as="xs:integer" initial-value="0">
    <xsl:accumulator-rule select="0"
        match="p:chapter[not($v:apparatus eq 'foot' and key('f:short', true()))] | p:section[$v:through eq 'section']"/>
    <xsl:accumulator-rule phase="end" match="p:corrected[f:explained(.)][not(f:as-variant(.))] | p:supplied[f:explained(.)]" select="$value + 1"/>
  </xsl:accumulator>

  <!-- A correction of base text in letters: the text has the right words, and an entry among the variants those of the source. -->
  <xsl:function name="f:as-variant" as="xs:boolean">
    <xsl:param name="corrected" as="element(p:corrected)"/>
    <xsl:sequence select="$v:apparatus eq 'foot' and $corrected/@sic ne '' and empty($corrected/@rend) and string($corrected) ne '' and f:in-letters($corrected)
        and exists($corrected/(ancestor::p:unit, ancestor::p:head)) and empty($corrected/(ancestor::p:note | ancestor::p:other | ancestor::p:entry))"/>
  </xsl:function>

  <!-- The words of a correction, without notes. -->
  <xsl:function name="f:right" as="xs:string">
    <xsl:param name="corrected" as="element(p:corrected)"/>
    <xsl:sequence select="normalize-space(string-join($corrected//text()[not(ancestor::p:other or ancestor::p:note or ancestor::p:entry)]))"/>
  </xsl:function>

  <!-- The brackets round supplied words: in letters by the Leiden conventions, what is lost in square ones, other words in angular ones. -->
  <xsl:function name="f:supplied-brackets" as="xs:string">
    <xsl:param name="supplied" as="element()"/>
    <xsl:sequence select="if (not(f:in-letters($supplied))) then '〔〕' else if ($supplied/@lost) then '[]' else '⟨⟩'"/>
  </xsl:function>

  <!-- Notes on base text in letters that have a band of their own at the foot of the page: what the author draws on, who quotes
       him, and any other that its source does not set in brackets within the line. They are lettered, or numbered in a text without
       numbers of variants; in verse they begin with its number. -->
  <xsl:function name="f:is-band" as="xs:boolean">
    <xsl:param name="note" as="element(p:note)"/>
    <xsl:sequence select="$v:apparatus eq 'foot' and f:in-letters($note) and exists($note/ancestor::p:unit[not(@form = ('row', 'cell'))])
        and (f:band($note) ne 'note' or empty($note/@rend) and not($note/@subtype = ('ruby', 'okurigana', 'kaeriten')) and fp:follows-words($note))
        and empty($note/(ancestor::p:note | ancestor::p:notes | ancestor::p:other | ancestor::p:entry))"/>
  </xsl:function>
  <!-- Whether words of its unit precede a note: one that begins it is on none, such as a number in the margin. -->
  <xsl:function name="fp:follows-words" as="xs:boolean">
    <xsl:param name="note" as="element(p:note)"/>
    <xsl:sequence select="exists(($note/ancestor::p:unit[1]//text()[normalize-space()])[1][. &lt;&lt; $note])"/>
  </xsl:function>
  <xsl:function name="f:band" as="xs:string">
    <xsl:param name="note" as="element(p:note)"/>
    <xsl:sequence select="if ($note/@subtype eq 'testimonia') then 'testimonia' else if ($note/@subtype eq 'fontes' or $note/@kind eq 'source') then 'fontes' else 'note'"/>
  </xsl:function>
  <xsl:key name="fp:numbers" match="p:app[f:printed(.)][f:verse-number(.) eq '']" use="'variant'"/>
  <!-- The sign of a note in a band: its letter, or its number. -->
  <xsl:function name="f:band-sign" as="xs:string">
    <xsl:param name="note" as="element(p:note)"/>
    <xsl:variable name="verse" as="xs:string" select="f:verse-number($note)"/>
    <xsl:variable name="number" as="xs:integer" select="$note/accumulator-after('fp:band')"/>
    <xsl:sequence select="if ($verse ne '') then $verse else '〔' || (if (key('fp:numbers', 'variant', root($note))) then format-integer($number, 'a') else string($number)) || '〕'"/>
  </xsl:function>
  <xsl:accumulator name="fp:band" as="xs:integer" initial-value="0">
    <xsl:accumulator-rule select="0" match="p:chapter[not(key('f:short', true()))] | p:section[$v:through eq 'section']"/>
    <xsl:accumulator-rule phase="end" match="p:note[f:is-band(.)]" select="$value + 1"/>
  </xsl:accumulator>

  <!-- The sign of an editor's note, whose figures tell it from that of a variant. -->
  <xsl:function name="f:remark-sign" as="xs:string">
    <xsl:param name="emendation" as="element()"/>
    <xsl:sequence select="'［' || $emendation/accumulator-after('fp:remark') || '］'"/>
  </xsl:function>

  <!-- The editor's corrections of transcriptions of other witnesses than the printed one: the place, and a sentence:
       集编「防」今作「旨」，据本义。 They are not readings of a book, so no entry reports them. -->
  <xsl:function name="f:slips" as="element(p:slip)*">
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:for-each select="$text/p:chapter//(p:corrected | p:supplied)[not(@rend)][ancestor::p:other or ancestor::p:words[not(../@kind = 'lem')]]
        [not(ancestor::p:app[1]/ancestor::p:words)]">
      <xsl:variable name="entry" as="element(p:entry)?" select="ancestor::p:entry[1]"/>
      <xsl:variable name="place" as="xs:string" select="if ($entry) then replace($entry/@ref, '\.[ar]\d+$', '')
          else string(ancestor::*[self::p:unit or self::p:note][@ref][1]/@ref)"/>
      <xsl:variable name="sigla" as="xs:string" select="
          (ancestor::p:other[1]/@sigla, ancestor::p:reading[1]/p:siglum => string-join(f:word('listing')))[1]"/>
      <p:slip ref="{replace(f:margin($place), '\.n\d+.*$', '')}"><xsl:value-of select="$sigla || f:change(.)
          || (if (@evidence ne '') then f:word('book-after-evidence', map{'evidence': f:basis(.)}) else '') || f:word('book-stop')"/></p:slip>
    </xsl:for-each>
  </xsl:function>

  <!-- A variant is printed if its rank is high enough; a repeated difference of writing only at its first place. -->
  <xsl:function name="f:printed" as="xs:boolean">
    <xsl:param name="app" as="element(p:app)"/>
    <xsl:variable name="entry" as="element(p:entry)?" select="f:entry($app)"/>
    <xsl:sequence select="exists($entry) and xs:integer($app/@rank) ge $v:rank
        and not($entry/@again)"/>
  </xsl:function>

  <!-- The printed entries inside the readings of an entry, printed after it. -->
  <xsl:function name="f:within" as="element(p:entry)*">
    <xsl:param name="entry" as="element(p:entry)"/>
    <xsl:sequence select="$entry/p:entry[xs:integer(@rank) ge $v:rank][not(@again or @in)]"/>
  </xsl:function>

  <!-- The sign of a printed entry, after its words and before its sentence. -->
  <xsl:function name="f:sign" as="xs:string">
    <xsl:param name="app" as="element()"/>
    <xsl:variable name="verse" as="xs:string?" select="f:verse-number($app)[. ne '']"/>
    <xsl:sequence select="if ($verse and $v:apparatus eq 'foot') then $verse else '〔' || f:digits($app/accumulator-after('fp:number')) || '〕'"/>
  </xsl:function>

  <!-- A reference as printed in the margin: yili:6.3.2 → 6.3.2. -->
  <xsl:function name="f:margin" as="xs:string">
    <xsl:param name="reference" as="xs:string?"/>
    <xsl:sequence select="if (contains($reference, ':')) then substring-after($reference, ':') else string($reference)"/>
  </xsl:function>

  <!-- A character of the source that Unicode does not have: its printed form, and how often it occurs. -->
  <xsl:key name="fp:glyph" match="p:g[not(ancestor::p:entry)]" use="@ref"/>

  <xsl:function name="f:resolved" as="xs:string">
    <xsl:param name="glyph" as="element(p:glyph)"/>
    <xsl:sequence select="($glyph/@standard[. ne ''], '〓')[1]"/>
  </xsl:function>

  <xsl:function name="f:places" as="xs:string">
    <xsl:param name="glyph" as="element(p:glyph)"/>
    <xsl:variable name="places" as="element(p:g)*" select="key('fp:glyph', $glyph/@id, root($glyph))"/>
    <xsl:sequence select="
        string-join((count($places)[. gt 0] ! f:word('book-occurs', map{'count': f:hanzi(.)}), 'book-not-identified'[$glyph/@standard = ''] ! f:word(.)))"/>
  </xsl:function>

  <!-- The signs of a printed text, each only if it occurs, with its meaning. `place`: of the entries. -->
  <xsl:function name="f:signs" as="element(p:sign)*">
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:param name="place" as="xs:string"/>
    <xsl:if test="$text//p:app[f:printed(.)] and $keys eq 'line' and $v:apparatus eq 'foot'">
      <p:sign sign="5"><xsl:value-of select="f:word('book-sign-line')"/></p:sign>
    </xsl:if>
    <xsl:if test="$text//p:app[f:printed(.)] and $entries eq 'bracket'">
      <p:sign sign="］"><xsl:value-of select="f:word('book-sign-bracket')"/></p:sign>
    </xsl:if>
    <xsl:variable name="verse" as="xs:boolean" select="$v:apparatus eq 'foot' and exists($text//p:app[f:printed(.)][f:verse-number(.) ne ''])"/>
    <xsl:if test="$verse"><p:sign sign="5"><xsl:value-of select="f:word('book-sign-verse')"/></p:sign></xsl:if>
    <xsl:if test="$text//p:app[f:printed(.)][not($verse and f:verse-number(.) ne '')] and not($keys eq 'line' and $v:apparatus eq 'foot')">
      <p:sign sign="{if (f:in-letters($text)) then '1' else '〔' || f:digits(1) || '〕'}"><xsl:value-of select="f:word('book-sign-number', map{'part': f:word('book-unit-' || (if ($v:through eq 'page') then 'page' else if ($v:through eq 'section' and $text//p:section) then 'section' else 'chapter')), 'place': f:word($place)})"/></p:sign>
    </xsl:if>
    <xsl:if test="$text//p:move[@said]"><p:sign sign="※"><xsl:value-of select="f:word('book-sign-move', map{'place': f:word($place)})"/></p:sign></xsl:if>
    <xsl:if test="$text//p:corrected[f:explained(.)][not(f:as-variant(.))] or $text//p:supplied[f:explained(.)]">
      <p:sign sign="［1］"><xsl:value-of select="f:word('book-sign-correction-number', map{'place': f:word($place)})"/></p:sign>
    </xsl:if>
    <xsl:if test="$text//p:corrected[not(f:as-variant(.))]"><p:sign sign="{f:word('book-corrected-example')}"><xsl:value-of select="f:word('book-sign-corrected')"/></p:sign></xsl:if>
    <xsl:for-each-group select="$text/p:chapter//p:supplied" group-by="f:supplied-brackets(.)">
      <p:sign sign="{if (f:in-letters($text)) then replace(f:word('book-supplied-example'), '^.(.*).$', substring(current-grouping-key(), 1, 1) || '$1' || substring(current-grouping-key(), 2)) else f:word('book-supplied-example')}"><xsl:value-of
        select="f:word('book-sign-supplied' || (if ($text/p:meta/p:stated) then '-by-editor' else if (current-group()[not(@rend)]) then '' else '-in-source'))"/></p:sign>
    </xsl:for-each-group>
    <xsl:if test="$text//p:gap[@reason = 'blank']"><p:sign sign="□"><xsl:value-of select="f:word('book-sign-blank')"/></p:sign></xsl:if>
    <xsl:if test="$text//(p:g[@standard = 'no'] | p:gap[@reason = 'glyph-lost'])">
      <p:sign sign="〓"><xsl:value-of select="f:word('book-sign-lost-graph')"/></p:sign>
    </xsl:if>
  </xsl:function>

  <!-- The units of the references of a text: 篇、节、句; in references of two numbers or one, the last is a 章 (论语 1.4, 老子 25);
       unknown units are printed as in the file. -->
  <xsl:function name="f:counted" as="xs:string">
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:variable name="units" as="xs:string*" select="tokenize($text/@cites)"/>
    <xsl:sequence select="string-join(for $unit in $units
        return if ($unit eq $units[last()] and $unit = ('chapter', 'section')) then f:word('book-unit-last')
        else if ($unit = ('chapter', 'section', 'unit', 'page', 'column', 'line')) then f:word('book-unit-' || $unit) else $unit, f:word('listing'))"/>
  </xsl:function>

  <!-- What is before a statement that is not a principle: 条数：. -->
  <xsl:function name="f:principle-label" as="xs:string">
    <xsl:param name="statement" as="element()"/>
    <xsl:sequence select="string($statement/@kind[. = ('chapter-bases', 'consulted', 'figures')] ! (f:word(.) || '：'))"/>
  </xsl:function>

  <!-- The authors of a witness with their dynasties: 汉　郑玄　唐　贾公彦. -->
  <xsl:function name="f:makers" as="xs:string">
    <xsl:param name="witness" as="element(p:witness)"/>
    <xsl:variable name="dynasties" as="xs:string*" select="tokenize($witness/@dynasty, '、')"/>
    <xsl:variable name="authors" as="xs:string*" select="$witness/p:author/string()"/>
    <xsl:sequence select="
        if (count($dynasties) eq count($authors)) then string-join(for-each-pair($dynasties, $authors, concat(?, '　', ?)), '　')
        else string-join(($witness/@dynasty[. ne ''], string-join($authors, '、')), '　')"/>
  </xsl:function>

  <!-- Whether a witness lacks a part of this chapter. -->
  <xsl:function name="f:partly" as="xs:boolean">
    <xsl:param name="chapter" as="element(p:chapter)"/>
    <xsl:sequence select="exists($chapter/p:coverage[2]) and exists($chapter/p:coverage[not(p:run[@from = 0 and @to = 1])])"/>
  </xsl:function>

  <!-- The class of a text in a digital library (<经部,礼类,…>, the four classes of catalogues) is not printed in books. -->
  <xsl:key name="fp:filed" match="p:furniture[matches(., '^\s*[&lt;＜‹〈][经經史子集]部[,，].*[&gt;＞›〉]\s*$')]" use="'yes'"/>

  <!-- The works that have a note, where that is not the rule: not all of the chapter, and not the one that its label names. -->
  <xsl:function name="f:carriers" as="xs:string">
    <xsl:param name="note" as="element(p:note)"/>
    <xsl:variable name="works" as="xs:integer" select="count($note/ancestor::p:chapter[1]/p:coverage)"/>
    <xsl:sequence select="string($note/@sigla[. ne $note/@label][$works eq 0 or count(tokenize(($note/@words, $note/@wits)[1])) lt $works])"/>
  </xsl:function>

  <!-- The entry of a variant. -->
  <xsl:function name="f:entry" as="element(p:entry)?">
    <xsl:param name="app" as="element(p:app)"/>
    <xsl:sequence select="key('fp:entry', $app/@id, root($app))"/>
  </xsl:function>

  <!-- The reference of an element without the number of the note: 6.3.2. -->
  <xsl:function name="f:index-place" as="xs:string">
    <xsl:param name="here" as="node()"/>
    <xsl:sequence select="replace(f:margin($here/ancestor-or-self::*[self::p:unit or self::p:note][@ref][1]/@ref), '\.n\d+.*$', '')"/>
  </xsl:function>

</xsl:stylesheet>
