<?xml version="1.0" encoding="UTF-8"?>
<!-- Blocks of a text in letters by their role: verse, speaker, direction, prose; sections that are lines, or run on. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The blocks of a division. Context: a chapter or section. -->
  <xsl:template name="m:blocks">
    <xsl:for-each-group select="* except (p:coverage, p:voice)" group-adjacent="if (f:is-line(.)) then 'lines' else if (self::p:section[f:runs-on(.)]) then 'prose' else ''">
      <xsl:choose>
        <xsl:when test="current-grouping-key() eq 'lines'">
          <!-- Beside a translation each line is level with its own. -->
          <xsl:for-each-group select="current-group()" group-adjacent="fp:row(.)">
            <xsl:variable name="words" as="node()*"><xsl:call-template name="m:lines"/></xsl:variable>
            <xsl:call-template name="fp:beside">
              <xsl:with-param name="follows" select="position() gt 1"/>
              <xsl:with-param name="words" select="$words"/>
            </xsl:call-template>
          </xsl:for-each-group>
        </xsl:when>
        <xsl:when test="current-grouping-key() eq 'prose'">
          <xsl:variable name="words" as="node()*"><xsl:call-template name="m:run-on"/></xsl:variable>
          <xsl:call-template name="fp:beside">
            <xsl:with-param name="words" select="$words"/>
          </xsl:call-template>
        </xsl:when>
        <xsl:when test="$translation eq 'facing'">
          <xsl:for-each-group select="current-group()" group-adjacent="fp:row(.)">
            <xsl:variable name="words" as="node()*"><xsl:apply-templates select="current-group()" mode="m:block"/></xsl:variable>
            <xsl:call-template name="fp:beside">
              <xsl:with-param name="units" select="current-group()/self::p:passage/p:unit"/>
              <xsl:with-param name="words" select="$words"/>
            </xsl:call-template>
          </xsl:for-each-group>
        </xsl:when>
        <xsl:otherwise><xsl:apply-templates select="current-group()" mode="m:block"/></xsl:otherwise>
      </xsl:choose>
    </xsl:for-each-group>
  </xsl:template>

  <!-- Blocks with the translation of their units in a column beside them, if the plan has it there. -->
  <xsl:template name="fp:beside">
    <xsl:param name="units" as="element(p:unit)*" select="current-group()/(self::p:passage, p:passage)/p:unit"/>
    <xsl:param name="words" as="node()*"/>
    <xsl:param name="follows" as="xs:boolean" select="false()"/>
    <xsl:variable name="of" as="element(p:of)*" select="f:facing($units)"/>
    <xsl:variable name="lines" as="xs:boolean" select="exists($units/(p:line, ..[f:verse-number(.) ne '']))"/>
    <xsl:choose>
      <xsl:when test="exists($of)">
        <xsl:text>#beside([&#10;</xsl:text>
        <xsl:sequence select="$words"/>
        <xsl:text expand-text="yes">], {f:typst(substring($of[1]/../@xml:lang, 1, 2))}, (</xsl:text>
        <xsl:for-each select="$of">
          <xsl:if test="not($lines) and preceding-sibling::p:of[1]/@id = @id">parbreak(),</xsl:if>
          <b:run kind="margin" place="{f:margin(@ref)}"><xsl:sequence select="f:literal(.)"/></b:run>
          <xsl:text>,</xsl:text>
        </xsl:for-each>
        <xsl:text expand-text="yes">), lines: {$lines}, follows: {$follows})&#10;</xsl:text>
      </xsl:when>
      <xsl:otherwise><xsl:sequence select="$words"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The translation of units that is printed beside them: of several, that which is first in the file. What translates
       units of more than one division is not beside them. -->
  <xsl:function name="f:facing" as="element(p:of)*">
    <xsl:param name="units" as="element(p:unit)*"/>
    <xsl:variable name="of" as="element(p:of)*" select="if ($translation ne 'facing') then () else ($units ! key('fp:rendered', @id))/.[not(f:spans-divisions(.))]"/>
    <xsl:sequence select="$of[.. is ($of/..)[1]][@id = $units/@id]"/>
  </xsl:function>
  <xsl:key name="fp:rendered" match="p:translation/p:of" use="@id, tokenize(@through)"/>
  <xsl:key name="fp:unit" match="p:unit" use="@id"/>

  <!-- Whether a passage of a translation is of units in several divisions. -->
  <xsl:function name="f:spans-divisions" as="xs:boolean">
    <xsl:param name="of" as="element(p:of)"/>
    <xsl:sequence select="$of/@through and count($of/(key('fp:unit', (@id, tokenize(@through))) ! ancestor::*[self::p:section[not(f:is-line(.) or f:runs-on(.))] or self::p:chapter][1])) gt 1"/>
  </xsl:function>

  <!-- Which blocks are beside one passage of a translation. -->
  <xsl:function name="fp:row" as="xs:string">
    <xsl:param name="block" as="element()"/>
    <xsl:variable name="units" as="element(p:unit)*" select="$block/descendant-or-self::p:passage[. is $block or .. is $block]/p:unit"/>
    <xsl:variable name="through" as="element(p:of)*" select="if ($translation eq 'facing') then ($units ! key('fp:rendered', @id))/.[@through][not(f:spans-divisions(.))] else ()"/>
    <xsl:sequence select="if ($translation ne 'facing') then '' else string(($through[.. is ($through/..)[1]]/@id, generate-id($block))[1])"/>
  </xsl:function>

  <!-- Sections that are lines of verse. -->
  <xsl:template name="m:lines">
    <xsl:variable name="direction" as="xs:string" select="fp:direction(current-group()/(self::p:passage, p:passage)/p:unit)"/>
    <xsl:text expand-text="yes">{('#[#set text(dir: ' || $direction || ')&#10;')[$direction ne '']}#verse-lines((&#10;</xsl:text>
    <xsl:for-each select="current-group()">
      <xsl:variable name="unit" as="element(p:unit)" select="(self::p:passage, p:passage)/p:unit"/>
      <b:run kind="text" place="{f:place-of($unit)}">
      <xsl:text expand-text="yes">({f:typst(f:line-number(.))}, {$unit/accumulator-before('fp:verse')}, "", {{{f:line-shares($unit)}</xsl:text>
      <xsl:apply-templates select="$unit" mode="m:inline"/>
      <xsl:text>}),&#10;</xsl:text>
      </b:run>
    </xsl:for-each>
    <xsl:text expand-text="yes">))&#10;{']&#10;'[$direction ne '']}</xsl:text>
    <xsl:call-template name="fp:end-of-group"/>
  </xsl:template>

  <!-- Sections that go on in one paragraph. -->
  <xsl:template name="m:run-on">
    <xsl:variable name="units" as="element(p:unit)+" select="current-group()/p:passage/p:unit"/>
    <b:run kind="text" place="{f:place-of($units[last()])}">
      <xsl:text expand-text="yes">#passage({{{f:shares('base-columns', $units)}</xsl:text>
      <xsl:for-each select="current-group()">
        <xsl:if test="position() gt 1"><xsl:sequence select="f:set-words(' ')"/></xsl:if>
        <xsl:text expand-text="yes">named-place({f:typst(@id)});</xsl:text>
        <xsl:apply-templates select="p:passage/p:unit" mode="m:inline"/>
      </xsl:for-each>
      <xsl:text expand-text="yes">ended({string-length(string-join($units))}, "base", {f:typst(f:margin($units[last()]/@ref))});</xsl:text>
      <xsl:text expand-text="yes">}}, opens: {fp:opens-paragraphs(.)}{f:entry-numbers($units)})&#10;</xsl:text>
    </b:run>
    <xsl:call-template name="fp:end-of-group"/>
  </xsl:template>

  <!-- What follows the sections of a group: their entries, if they are printed there. -->
  <xsl:template name="fp:end-of-group">
    <xsl:for-each select="current-group()[self::p:section][$v:apparatus eq 'section']"><xsl:call-template name="m:endnotes"/></xsl:for-each>
  </xsl:template>

  <!-- A passage of base text. Context: the passage. -->
  <xsl:template name="m:letters">
    <xsl:param name="noted" as="xs:integer" required="yes"/>
    <xsl:param name="room" as="xs:string?" required="yes"/>
    <xsl:choose>
      <xsl:when test="p:unit/@verse">
        <xsl:for-each select="p:unit">
          <xsl:call-template name="fp:verse">
            <xsl:with-param name="noted" select="if (position() eq last()) then $noted else 0"/>
            <xsl:with-param name="room" select="$room[position() eq last()]"/>
          </xsl:call-template>
        </xsl:for-each>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="direction" as="xs:string" select="fp:direction(p:unit)"/>
        <xsl:variable name="units" as="element(p:unit)+" select="p:unit, following-sibling::*[1]/self::p:passage[fp:follows-name(.)]/p:unit"/>
        <b:run kind="text" place="{f:place-of(p:unit[last()])}">
        <xsl:if test="$direction ne ''"><xsl:text expand-text="yes">#[#set text(dir: {$direction})&#10;</xsl:text></xsl:if>
        <xsl:text expand-text="yes">#passage({{{f:shares('base-columns', $units)}</xsl:text>
        <xsl:apply-templates select="p:unit" mode="m:inline"/>
        <xsl:for-each select="$units except p:unit">
          <xsl:if test="matches(., '^\s*[(\[–—]')"><xsl:sequence select="f:set-words(' ')"/></xsl:if>
          <xsl:text>looking("stage", {</xsl:text><xsl:apply-templates select="." mode="m:inline"/><xsl:text>});</xsl:text>
        </xsl:for-each>
        <xsl:apply-templates select="p:commentary/p:note[f:beside(.)]" mode="m:inline"/>
        <xsl:text expand-text="yes">ended({string-length(string-join(p:unit))}, "base", {f:typst(f:margin(p:unit[last()]/@ref))});</xsl:text>
        <xsl:text expand-text="yes">}}, join: {@join = 'yes' or fp:is-spoken(.)}, opens: {fp:opens-paragraphs(.) and not(fp:is-spoken(.))}, noted: {$noted}{$room}{f:entry-numbers($units)})&#10;{']&#10;'[$direction ne '']}</xsl:text>
        </b:run>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The direction of a paragraph most of whose letters run against the book's. -->
  <xsl:function name="fp:direction" as="xs:string">
    <xsl:param name="units" as="element(p:unit)+"/>
    <xsl:variable name="words" as="xs:string" select="string-join($units)"/>
    <xsl:variable name="leftward" as="xs:integer" select="string-length(replace($words, '[^&#x590;-&#x8FF;]', ''))"/>
    <xsl:variable name="rightward" as="xs:integer" select="string-length(replace($words, '[^\p{L}]', '')) - $leftward"/>
    <xsl:variable name="book" as="xs:string" select="if (root($units[1])/p:text/@direction eq 'rtl') then 'rtl' else 'ltr'"/>
    <xsl:sequence select="(if ($leftward gt $rightward) then 'rtl'[$book eq 'ltr'] else if ($rightward gt $leftward) then 'ltr'[$book eq 'rtl'] else ())[1] => string()"/>
  </xsl:function>

  <!-- Whether a stage direction goes on in the line of the speaker's name: it begins with a mark. -->
  <xsl:template match="p:passage[p:unit/@form = 'stage'][fp:follows-name(.)]" mode="m:block" priority="4"/>
  <xsl:function name="fp:follows-name" as="xs:boolean">
    <xsl:param name="passage" as="element(p:passage)"/>
    <xsl:sequence select="f:in-letters($passage) and exists($passage[count(*) eq 1][p:unit[@form = 'stage'][matches(., '^\s*[,;:.(\[–—]')]]
        /preceding-sibling::*[1]/self::p:passage[count(*) eq 1]/p:unit[@form = 'speaker'])"/>
  </xsl:function>

  <!-- Whether a paragraph is what the speaker named before it says: it is close to the name. -->
  <xsl:function name="fp:is-spoken" as="xs:boolean">
    <xsl:param name="passage" as="element(p:passage)"/>
    <xsl:sequence select="exists($passage/preceding-sibling::*[not(self::p:passage[fp:follows-name(.)])][1]/self::p:passage[p:unit/@form = 'speaker'])"/>
  </xsl:function>

  <!-- Whether a paragraph follows no other of its kind: it has no indent, and space above it. So has one with a form. -->
  <xsl:function name="fp:opens-paragraphs" as="xs:boolean">
    <xsl:param name="block" as="element()"/>
    <xsl:variable name="before" as="element()?" select="$block/preceding-sibling::*[1]"/>
    <xsl:variable name="last" as="element()?" select="if ($before) then $before else $block/parent::p:section/preceding-sibling::*[1]"/>
    <xsl:variable name="passage" as="element()?" select="$last/descendant-or-self::p:passage[last()]"/>
    <xsl:sequence select="exists($block/p:unit/@form) or empty($passage[p:unit[not(@verse or @form)]][not(p:commentary)])
        or exists($block/parent::p:section[@title ne ''][not($before)])"/>
  </xsl:function>

  <!-- A unit of verse: a stanza, or a line that stands alone in its file. -->
  <xsl:template name="fp:verse">
    <xsl:param name="noted" as="xs:integer" required="yes"/>
    <xsl:param name="room" as="xs:string?" required="yes"/>
    <xsl:variable name="before" as="element()?" select="(preceding-sibling::*, ../preceding-sibling::*)[self::p:unit or self::p:passage][last()]/descendant-or-self::p:unit[last()]"/>
    <xsl:variable name="unit" as="element(p:unit)" select="."/>
    <b:run kind="text" place="{f:place-of(.)}">
    <xsl:variable name="direction" as="xs:string" select="fp:direction(.)"/>
    <xsl:text expand-text="yes">{('#[#set text(dir: ' || $direction || ')&#10;')[$direction ne '']}#verse-lines((</xsl:text>
    <xsl:for-each select="p:line">
      <xsl:variable name="number" as="xs:string" select="string(@n)"/>
      <!-- A verse that several speakers share: what was said of it before. -->
      <xsl:variable name="shared" as="element(p:line)*" select="if ($number eq '') then () else (preceding::p:line[position() le 4][@n eq $number][ancestor::p:chapter is current()/ancestor::p:chapter])"/>
      <xsl:text expand-text="yes">({f:typst($number)}, {accumulator-after('fp:verse')}, {f:typst(string-join($shared//text()[not(ancestor::p:note or ancestor::p:other)], ' '))}, {{</xsl:text>
      <xsl:if test="not(preceding-sibling::p:line)"><xsl:text expand-text="yes">at({fp:place($unit)});</xsl:text></xsl:if>
      <xsl:value-of select="f:line-shares(.)"/>
      <xsl:apply-templates select="node()" mode="m:inline"/>
      <xsl:text>}),</xsl:text>
    </xsl:for-each>
    <xsl:text expand-text="yes">), follows: {exists($before[@form or count(p:line) eq 1 and count($unit/p:line) eq 1])}, noted: {$noted}{$room})&#10;{']&#10;'[$direction ne '']}</xsl:text>
    </b:run>
  </xsl:template>

</xsl:stylesheet>
