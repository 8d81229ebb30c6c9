<?xml version="1.0" encoding="UTF-8"?>
<!-- Words of the interface. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Each word by its key: in simplified Chinese, in English. The keys picture-… name what pictures of the statistics say. -->
  <xsl:variable name="fp:interface" as="map(xs:string, array(xs:string))" select="json-doc('words.json')"/>

  <xsl:function name="f:ui" as="xs:string" visibility="public">
    <xsl:param name="key" as="xs:string"/>
    <xsl:variable name="word" as="array(xs:string)" select="($fp:interface($key), error(xs:QName('e:WORD'), 'no interface word for ' || $key))[1]"/>
    <xsl:sequence select="if ($interface eq 'en') then $word(2) else translate($word(1), $v:plain, $v:formed)"/>
  </xsl:function>

  <!-- The evidence of a judgement in words: the tables, rules and decisions that rdg/@source names. -->
  <xsl:function name="f:evidence" as="xs:string" visibility="public">
    <xsl:param name="source" as="xs:string"/>
    <xsl:sequence select="string-join(distinct-values(tokenize($source) ! (if (map:contains($fp:interface, .)) then f:ui(.) else if ($interface eq 'en') then ($v:lists(.)[2], .)[1] else ($v:lists(.)[1] ! f:said(.), .)[1])), f:word('listing'))"/>
  </xsl:function>

  <!-- A canonical reference without its work: yili:6.1.3 → 6.1.3. -->
  <xsl:function name="f:short" as="xs:string" visibility="public">
    <xsl:param name="ref" as="xs:string"/>
    <xsl:sequence select="if (contains($ref, ':')) then substring-after($ref, ':') else $ref"/>
  </xsl:function>

  <!-- Whether the reference of an element differs from its id. -->
  <xsl:function name="f:cited-otherwise" as="xs:boolean" visibility="public">
    <xsl:param name="element" as="element()"/>
    <xsl:sequence select="translate($element/@ref, ':', '.') ne $element/@id"/>
  </xsl:function>

  <!-- The name of a division: its title, else its reference. -->
  <xsl:function name="f:called" as="xs:string" visibility="public">
    <xsl:param name="division" as="element()"/>
    <xsl:sequence select="string(($division/@title[. ne ''], f:short($division/@ref))[1])"/>
  </xsl:function>

  <!-- A link to an id on some page, relative to a page. -->
  <xsl:function name="f:href" as="xs:string" visibility="public">
    <xsl:param name="page" as="xs:string?"/>
    <xsl:param name="id" as="xs:string"/>
    <xsl:param name="here" as="xs:string"/>
    <xsl:sequence select="(if (string($page) = ('', $here)) then '' else encode-for-uri($page) || '.html') || '#' || $id"/>
  </xsl:function>

  <!-- An address from a TEI file, if it leads to a page; not one that a browser would execute. -->
  <xsl:function name="f:safe" as="xs:string?" visibility="public">
    <xsl:param name="address" as="xs:string"/>
    <xsl:sequence select="$address[matches(., '^(https?://|mailto:)', 'i')]"/>
  </xsl:function>

  <!-- A script with each Chinese word of the interface and its English. -->
  <xsl:template name="m:dictionary" as="text()">
    <xsl:variable name="words" as="map(xs:string, xs:string)" select="map:merge((
        $fp:interface?* ! map{.(1): .(2)}, json-doc('../lib/header.json')?*[.(1) ne ''] ! map{.(1): .(2)},
        tokenize($english, '\n') ! map{substring-before(., '='): substring-after(., '=')},
        map:keys($v:lists) ! map{$v:lists(.)[1]: $v:lists(.)[2]},
        map:for-each($v:classes, function($key, $class) { map{$class?chinese: $class?english} }),
        ('high', 'medium', 'low') ! map{$fp:words(.): $fp:english-words(.)}), map{'duplicates': 'use-first'})"/>
    <!-- The same words in traditional script, for pages of editions in it. -->
    <xsl:variable name="plain" as="xs:string" select="string-join(tokenize($traditional) ! substring(., 1, 1))"/>
    <xsl:variable name="formed" as="xs:string" select="string-join(tokenize($traditional) ! substring(., 2, 1))"/>
    <xsl:variable name="words" as="map(xs:string, xs:string)" select="map:merge(($words,
        map:keys($words) ! map{translate(., $plain, $formed): $words(.)}), map{'duplicates': 'use-first'})"/>
    <xsl:variable name="rows" as="xs:string*" select="
        for $key in sort(map:keys($words)) return serialize($key, map{'method': 'json'}) || ': ' || serialize($words($key), map{'method': 'json'})"/>
    <xsl:value-of select="'self.jiaokanWords = {&#10;' || string-join($rows, ',&#10;') || '&#10;};&#10;'"/>
  </xsl:template>
</xsl:stylesheet>
