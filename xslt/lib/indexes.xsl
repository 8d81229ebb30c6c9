<?xml version="1.0" encoding="UTF-8"?>
<!-- Indexes of a text, in books and on the site: persons, places, works cited, commentators; their order. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Sort keys, one a line: the word or graph, a tab, its key (pipeline/jiaokan/characters/pinyin.py). -->
  <xsl:param name="order" as="xs:string" select="''"/>
  <xsl:variable name="fp:order" as="map(xs:string, xs:string)"
      select="map:merge(tokenize($order, '\n')[.] ! map{substring-before(., '&#9;'): substring-after(., '&#9;')})"/>

  <xsl:key name="fp:listed" match="p:listed | p:meta/p:speaker" use="@id"/>

  <!-- The index of a name: persons, places, works; else nothing. Of nested names (周礼 in 周礼地官) the one with an id counts,
       else the outer. -->
  <xsl:function name="f:index" as="xs:string">
    <xsl:param name="name" as="element()"/>
    <xsl:variable name="index" as="xs:string" select="fp:index($name)"/>
    <xsl:sequence select="
        if ($index eq '' or $name/@part = ('M', 'F') or $name/ancestor::*[self::p:entry or self::p:other]) then ''
        else if ($name/ancestor::*[fp:index(.) eq $index][fp:id(.) ne '' or fp:id($name) eq '']) then ''
        else if (fp:id($name) eq '' and $name/descendant::*[fp:index(.) eq $index][fp:id(.) ne '']) then ''
        else if (f:words($name) eq '') then '' else $index"/>
  </xsl:function>

  <xsl:variable name="fp:indexes" as="map(xs:string, xs:string)"
      select="map{'person': 'persons', 'place': 'places', 'org': 'places', 'title': 'works'}"/>
  <xsl:function name="fp:index" as="xs:string">
    <xsl:param name="name" as="element()"/>
    <xsl:sequence select="
        if ($name/self::p:span or $name/self::p:name) then string($fp:indexes(($name/@kind, $name/@role)[1])) else ''"/>
  </xsl:function>

  <!-- The words of a name; of one that an entry divides, all its parts. -->
  <xsl:function name="f:words" as="xs:string">
    <xsl:param name="name" as="element()"/>
    <xsl:variable name="last" as="element()?" select="$name[@part = 'I']/following::p:name[@part = 'F'][1]"/>
    <xsl:variable name="pieces" as="element()+" select="$name, if ($last) then ($name/following::p:name[@part = 'M'][. &lt;&lt; $last], $last) else ()"/>
    <xsl:sequence select="translate(normalize-space(string-join($pieces//text()[not(ancestor::p:other)])), '《》〈〉「」『』', '')"/>
  </xsl:function>

  <xsl:key name="fp:name" match="p:listed | p:meta/p:speaker" use="@name"/>
  <xsl:key name="fp:title" match="(p:span | p:name)[fp:index(.) eq 'works'][@ref ne '']" use="f:words(.)"/>

  <!-- The key of a name in its index: the id of the person, place or work, if the header lists it; else its words. A name
       without an id belongs to the one thing of that name in the header, a title also to the one work cited so elsewhere;
       for persons of the same name this is unknown. -->
  <xsl:function name="f:index-key" as="xs:string">
    <xsl:param name="name" as="element()"/>
    <xsl:variable name="id" as="xs:string" select="fp:id($name)"/>
    <xsl:variable name="words" as="xs:string" select="f:words($name)"/>
    <xsl:variable name="called" as="xs:string*" select="if ($id) then () else distinct-values((key('fp:name', $words, root($name))/@id,
        if (fp:index($name) eq 'works') then key('fp:title', $words, root($name)) ! fp:id(.)[. ne ''] else ()))"/>
    <xsl:sequence select="if ($id) then $id else if (count($called) eq 1) then $called else $words"/>
  </xsl:function>

  <!-- The id that a name refers to, if the header lists it. -->
  <xsl:function name="fp:id" as="xs:string">
    <xsl:param name="name" as="element()"/>
    <xsl:variable name="id" as="xs:string" select="substring-before(translate($name/@ref, '#', '') || ' ', ' ')"/>
    <xsl:sequence select="if ($id ne '' and key('fp:listed', $id, root($name))) then $id else ''"/>
  </xsl:function>

  <!-- How an index names what has a key: as the header does, else the key itself. -->
  <xsl:function name="f:index-head" as="xs:string">
    <xsl:param name="key" as="xs:string"/>
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:sequence select="string((key('fp:listed', $key, root($text))/@name, $key)[1])"/>
  </xsl:function>

  <!-- The entries of an index, in order: key, head (printed first), sort (its key), also (other names in the text); grouped by
       strokes or letter. -->
  <xsl:function name="f:index-groups" as="element(p:group)*">
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:param name="index" as="xs:string"/>
    <xsl:variable name="rows" as="element(p:row)*">
      <xsl:for-each-group select="$text/p:chapter//(p:span | p:name)[fp:index(.) eq $index][f:index(.) eq $index]" group-by="f:index-key(.)">
        <xsl:variable name="head" as="xs:string" select="f:index-head(current-grouping-key(), $text)"/>
        <xsl:variable name="forms" as="xs:string*" select="distinct-values(current-group() ! f:words(.))[. ne $head]"/>
        <p:row key="{current-grouping-key()}" head="{$head}" sort="{f:sort-key($head)}" also="{string-join($forms[position() le 3], f:word('listing'))}"/>
      </xsl:for-each-group>
    </xsl:variable>
    <xsl:sequence select="f:grouped($rows)"/>
  </xsl:function>

  <!-- The same for the speakers of notes, with dynasty and label. -->
  <xsl:function name="f:speaker-groups" as="element(p:group)*">
    <xsl:param name="text" as="element(p:text)"/>
    <xsl:variable name="heard" as="xs:string*" select="distinct-values($text//p:note/@speaker)"/>
    <xsl:variable name="rows" as="element(p:row)*">
      <xsl:for-each select="$text/p:meta/p:speaker[@id = $heard]">
        <p:row key="{@id}" head="{@name}" sort="{f:sort-key(@name)}" also="{string-join((@dynasty, @label[. ne current()/@name])[. ne ''], f:word('listing'))}"/>
      </xsl:for-each>
    </xsl:variable>
    <xsl:sequence select="f:grouped($rows)"/>
  </xsl:function>

  <!-- Rows in order, in groups. -->
  <xsl:function name="f:grouped" as="element(p:group)*">
    <xsl:param name="rows" as="element(p:row)*"/>
    <xsl:variable name="sorted" as="element(p:row)*" select="sort($rows, 'http://www.w3.org/2005/xpath-functions/collation/codepoint', function($row) { string($row/@sort) })"/>
    <xsl:for-each-group select="$sorted" group-adjacent="fp:group(@sort)">
      <p:group name="{current-grouping-key()}"><xsl:sequence select="current-group()"/></p:group>
    </xsl:for-each-group>
  </xsl:function>

  <!-- The sort key of a word; of one that is not in the table, graph by graph. -->
  <xsl:function name="f:sort-key" as="xs:string">
    <xsl:param name="word" as="xs:string"/>
    <xsl:sequence select="($fp:order($word), string-join(string-to-codepoints($word) ! codepoints-to-string(.) ! ($fp:order(.), .)[1]))[1]"/>
  </xsl:function>

  <!-- 八画; Z; no heading for words in letters; last, what the table does not have. -->
  <xsl:function name="fp:group" as="xs:string">
    <xsl:param name="sort" as="xs:string"/>
    <xsl:variable name="strokes" as="xs:string" select="substring($sort, 1, 2)"/>
    <xsl:sequence select="
        if (matches($sort, '^[a-z]')) then upper-case(substring($sort, 1, 1))
        else if ($strokes eq '00') then ''
        else if ($strokes castable as xs:integer and $strokes ne '99') then f:word('book-strokes', map{'count': f:hanzi(xs:integer($strokes))})
        else f:word('book-other-strokes')"/>
  </xsl:function>

</xsl:stylesheet>
