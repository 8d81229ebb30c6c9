<?xml version="1.0" encoding="UTF-8"?>
<!-- Inline content as Typst code (mode m:inline): each template writes expressions that end with a semicolon. In the code,
     b:w is a string of printed words, b:printed words that a function of the templates prints, b:run what is printed as one
     run of letters (outputs/print/words.py). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:b="urn:jiaokan:book" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:v="urn:jiaokan:variables" xmlns:fp="urn:jiaokan:private"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:inline" on-no-match="fail" on-multiple-match="fail"/>

  <!-- Words as a page of Chinese has them: marks that a transcription types in ASCII are full width, but for those inside
       a run of Latin letters or digits (clreq 3.1.2: marks of punctuation take a whole cell). -->
  <xsl:function name="f:wide" as="xs:string">
    <xsl:param name="text" as="xs:string"/>
    <xsl:variable name="marks" as="xs:string" select="',;:!?()&lt;&gt;'"/>
    <xsl:sequence select="
        if (not($v:chinese) or translate($text, $marks, '') eq $text) then $text
        else string-join(analyze-string($text, '[A-Za-z0-9]([ -~]*[A-Za-z0-9])?')/* !
          (if (self::*:match) then string(.) else translate(., $marks, '，；：！？（）＜＞')))"/>
  </xsl:function>

  <xsl:template match="text()" mode="m:inline">
    <xsl:sequence select="f:with-counts(., f:wide(if (fp:before-addition(.)) then replace(., '\s+$', '') else .))"/>
  </xsl:template>

  <!-- The number of an addition is at the word before it, before the space. -->
  <xsl:function name="fp:before-addition" as="xs:boolean">
    <xsl:param name="words" as="text()"/>
    <xsl:sequence select="matches($words, '\S\s+$') and exists($words/following-sibling::node()[1]/self::p:app[fp:is-addition(.)])"/>
  </xsl:function>
  <xsl:function name="fp:is-addition" as="xs:boolean">
    <xsl:param name="app" as="element(p:app)"/>
    <xsl:sequence select="f:in-letters($app) and f:printed($app) and not(string-join($app//text()[not(ancestor::p:other or ancestor::p:note)])) and empty($app//p:note)"/>
  </xsl:function>
  <xsl:template match="p:app[preceding-sibling::node()[1]/self::text()[fp:before-addition(.)]]" mode="m:inline" priority="1">
    <xsl:next-match/>
    <xsl:sequence select="f:set-words(' ')"/>
  </xsl:template>

  <!-- A unit within a passage: its reference goes into the margin. -->
  <xsl:template match="p:unit" mode="m:inline">
    <xsl:if test="fp:meets(.)"><xsl:sequence select="f:set-words(' ')"/></xsl:if>
    <xsl:text expand-text="yes">at({fp:place(.)});</xsl:text>
    <xsl:apply-templates select="node()" mode="m:inline"/>
  </xsl:template>

  <!-- Whether the words of a unit in letters would be one with those of the unit before: a wide space of the source parted them. -->
  <xsl:function name="fp:meets" as="xs:boolean">
    <xsl:param name="unit" as="element(p:unit)"/>
    <xsl:variable name="before" as="element()?" select="$unit/preceding-sibling::*[1]/self::p:unit[not(@verse)]"/>
    <xsl:sequence select="f:in-letters($unit) and matches(string-join($before//text()[not(ancestor::p:other or ancestor::p:note)]), '\S$') and matches($unit, '^\S')"/>
  </xsl:function>

  <!-- The reference of words: of their unit, of the note in which they are, of the last unit in them, or of the unit before
       them in the chapter. -->
  <xsl:function name="f:place-of" as="xs:string">
    <xsl:param name="words" as="element()"/>
    <xsl:variable name="home" as="element()?" select="($words/ancestor-or-self::p:unit[1],
        $words/ancestor-or-self::p:note[last()], $words/descendant::p:unit[@ref][last()])[1]"/>
    <xsl:variable name="before" as="element(p:unit)?" select="if ($home) then () else $words/preceding::p:unit[@ref][1]
        [ancestor::p:chapter is $words/ancestor::p:chapter]"/>
    <xsl:sequence select="f:margin(($home/(@on-ref, @ref)[1], $before/@ref)[1])"/>
  </xsl:function>

  <!-- Where a unit begins, for Typst's function at: its reference, its number and, if pages name them, its witnesses. What has
       a form (a speaker, an item) shows a reference only if its file numbers it. -->
  <xsl:function name="fp:place" as="xs:string">
    <xsl:param name="unit" as="element(p:unit)"/>
    <xsl:variable name="witnesses" as="xs:string*" select="tokenize($unit/@wits)[$present eq 'yes']"/>
    <xsl:sequence select="string-join((f:typst(f:margin($unit/@ref[not($unit/@again or $unit/@form[not($unit/@number)] or f:has-verse-number($unit))])), $unit/accumulator-before('fp:margin'),
        for $id in $witnesses return f:typst(root($unit)/p:text/p:meta/p:witness[@id eq $id]/@siglum)), ', ')"/>
  </xsl:function>

  <!-- Whether verses have numbers where a unit is: then it needs no reference of its own. -->
  <xsl:function name="f:has-verse-number" as="xs:boolean">
    <xsl:param name="unit" as="element(p:unit)"/>
    <xsl:sequence select="f:in-letters($unit) and (f:verse-number($unit) ne '' or exists($unit[p:line or @form][key('fp:versed', string(ancestor::p:chapter/@id))]))"/>
  </xsl:function>

  <xsl:template match="p:line" mode="m:inline">
    <xsl:text>{</xsl:text>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:text>},</xsl:text>
  </xsl:template>

  <xsl:template match="p:app" mode="m:inline">
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:call-template name="m:mark"/>
  </xsl:template>

  <!-- Where works introduce a note by different words, or point it differently, those of the first are printed. -->
  <xsl:template match="p:attribution | p:accidental" mode="m:inline">
    <xsl:apply-templates select="node() except p:other" mode="m:inline"/>
  </xsl:template>

  <xsl:template match="p:span" mode="m:inline">
    <xsl:variable name="brackets" as="xs:string" select="string(@rend)"/>
    <xsl:call-template name="m:indexed"/>
    <xsl:value-of select="if (@role = 'punct') then 'punctuation({' else if (@role = 'call') then 'called({' else ''"/>
    <xsl:if test="$brackets"><xsl:sequence select="f:set-words(f:wide(substring($brackets, 1, 1)))"/></xsl:if>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:if test="$brackets"><xsl:sequence select="f:set-words(f:wide(substring($brackets, 2)))"/></xsl:if>
    <xsl:value-of select="if (@role = ('punct', 'call')) then '});' else ''"/>
  </xsl:template>

  <!-- The editor's punctuation and names, in the style of the book. -->
  <xsl:template match="p:mark" mode="m:inline">
    <xsl:sequence select="f:mark(., $points)[.] ! f:set-words(.)"/>
  </xsl:template>

  <!-- Context: what the text names. Its mark for the index to which it belongs. -->
  <xsl:template name="m:indexed">
    <xsl:value-of select="f:index(.)[.] ! ('ix(&quot;' || . || '&quot;, ' || f:typst(f:index-key(current())) || ', ' || f:typst(f:index-place(current())) || ');')"/>
  </xsl:template>

  <xsl:template match="p:name" mode="m:inline">
    <xsl:call-template name="m:indexed"/>
    <xsl:variable name="line" as="xs:string" select="f:line(@kind, $points)"/>
    <xsl:if test="$line"><xsl:text expand-text="yes">{$line}({{</xsl:text></xsl:if>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:if test="$line">});</xsl:if>
  </xsl:template>

  <!-- A mark of the source that the editor's punctuation replaces. -->
  <xsl:template match="p:set-aside" mode="m:inline"/>

  <xsl:template match="p:g" mode="m:inline">
    <xsl:choose>
      <xsl:when test="@standard = 'yes'"><xsl:sequence select="f:set-words(.)"/></xsl:when>
      <xsl:otherwise>lost(<xsl:sequence select="f:literal(.)"/>);</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What is lost in a text in letters is printed as its editions do, and a space left free as a space. -->
  <xsl:template match="p:gap[not(@rend)][f:in-letters(.)]" mode="m:inline" priority="1">
    <xsl:choose>
      <xsl:when test="@reason = 'blank'">h(1em);</xsl:when>
      <xsl:otherwise>lost(<xsl:sequence select="f:literal('[…]')"/>);</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="p:gap" mode="m:inline">
    <xsl:text>lost(</xsl:text>
    <xsl:sequence select="f:literal(.)"/>
    <xsl:text>);</xsl:text>
  </xsl:template>

  <xsl:template match="p:corrected" mode="m:inline">
    <xsl:text>corrected(</xsl:text>
    <xsl:sequence select="f:literal(f:wide(string(@sic)))"/>
    <xsl:text expand-text="yes">, {if (string(.) eq '') then 'none' else '{'}</xsl:text>
    <xsl:if test="string(.) ne ''"><b:printed><xsl:value-of select="if (f:in-letters(.)) then '[' else '〔'"/></b:printed></xsl:if>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:if test="string(.) ne ''"><b:printed><xsl:value-of select="if (f:in-letters(.)) then ']' else '〕'"/></b:printed></xsl:if>
    <xsl:text expand-text="yes">{if (string(.) eq '') then ');' else '});'}</xsl:text>
    <xsl:call-template name="m:mark"/>
  </xsl:template>

  <!-- In letters the right words are the text, and those of the source in the apparatus; what the editor deletes is in braces (Leiden). -->
  <xsl:template match="p:corrected[f:as-variant(.)]" mode="m:inline" priority="1">
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:call-template name="m:mark"/>
  </xsl:template>
  <xsl:template match="p:corrected[f:in-letters(.)][string(.) eq '']" mode="m:inline" priority="1">
    <xsl:sequence select="f:set-words('{' || @sic || '}')"/>
    <xsl:call-template name="m:mark"/>
  </xsl:template>

  <xsl:template match="p:supplied" mode="m:inline">
    <xsl:variable name="brackets" as="xs:string" select="f:supplied-brackets(.)"/>
    <xsl:text>supplied({</xsl:text>
    <b:printed><xsl:value-of select="substring($brackets, 1, 1)"/></b:printed>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <b:printed><xsl:value-of select="substring($brackets, 2)"/></b:printed>
    <xsl:text expand-text="yes">}}, brackets: {f:typst($brackets)});</xsl:text>
    <xsl:call-template name="m:mark"/>
  </xsl:template>

  <xsl:template match="p:space" mode="m:inline">
    <xsl:sequence select="f:set-words(if (f:in-letters(.)) then ' ' else '　')"/>
  </xsl:template>

  <xsl:template match="p:juan" mode="m:inline">
    <xsl:text expand-text="yes">at({f:typst(@name)}, {accumulator-before('fp:margin')});</xsl:text>
  </xsl:template>

  <!-- A note that is at the foot, in a band of its own. -->
  <xsl:template match="p:note[f:is-band(.)]" mode="m:inline" priority="2"><xsl:call-template name="m:mark"/></xsl:template>

  <!-- The reading of words above them (ruby); Japanese endings and reading marks beside them. -->
  <xsl:template match="p:span[@look = 'ruby'][following-sibling::node()[1]/self::p:note[@subtype = 'ruby']]" mode="m:inline" priority="2">
    <xsl:text>ruby({</xsl:text>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:text>}, {</xsl:text>
    <xsl:apply-templates select="following-sibling::p:note[1]/node()" mode="m:inline"/>
    <xsl:text>});</xsl:text>
  </xsl:template>
  <xsl:template match="p:note[@subtype = 'ruby'][preceding-sibling::node()[1]/self::p:span[@look = 'ruby']]" mode="m:inline" priority="2"/>
  <xsl:template match="p:note[@subtype = ('okurigana', 'kaeriten')][not(f:in-letters(.))]" mode="m:inline" priority="2">
    <xsl:text expand-text="yes">{@subtype}({{</xsl:text>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:text>});</xsl:text>
  </xsl:template>

  <!-- A note inside the text, in the brackets of its source. -->
  <xsl:template match="p:note | p:notes" mode="m:inline">
    <xsl:text>inner-note({</xsl:text>
    <xsl:if test="@speaker"><xsl:text expand-text="yes">ix("speakers", {f:typst(@speaker)}, {f:typst(f:index-place(.))});</xsl:text></xsl:if>
    <xsl:for-each select="@of"><xsl:sequence select="f:literal(.)"/>;</xsl:for-each>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:text expand-text="yes">}}, brackets: {f:typst((f:wide(string(@rend))[.], '()'[f:in-letters(current())], '')[1])});</xsl:text>
  </xsl:template>

  <xsl:template match="p:figure" mode="m:inline">
    <xsl:text>figure-mark(</xsl:text>
    <xsl:sequence select="f:literal(normalize-space(.))"/>
    <xsl:text>);</xsl:text>
  </xsl:template>

</xsl:stylesheet>
