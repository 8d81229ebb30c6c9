<?xml version="1.0" encoding="UTF-8"?>
<!-- Ids, canonical references, pointers, sigla. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private"
    xmlns:e="urn:jiaokan:errors" xmlns:v="urn:jiaokan:variables" xmlns:map="http://www.w3.org/2005/xpath-functions/map" exclude-result-prefixes="#all">

  <!-- Names of pages that are not chapters; card is the file that describes a text. -->
  <xsl:variable name="v:pages" as="xs:string+" select="'index', 'entries', 'indexes', 'statistics', 'encoding', 'card'"/>

  <xsl:key name="fp:id" match="*[@xml:id]" use="@xml:id"/>

  <!-- The canonical reference of an id: from the parameter references (lunyu.1.4.2 → lunyu:1.4), else yili.6.3.2 → yili:6.3.2. -->
  <xsl:function name="f:reference" as="xs:string" visibility="public">
    <xsl:param name="id" as="xs:string"/>
    <xsl:variable name="label" as="xs:string?" select="$v:references($id)"/>
    <xsl:sequence select="if ($label) then substring-before($id, '.') || ':' || $label
        else if (contains($id, '.')) then substring-before($id, '.') || ':' || substring-after($id, '.') else $id"/>
  </xsl:function>

  <!-- The ids named by a list of pointers: '#a words:b/4/2' → a, b; a pointer out of the document (w:…) names none. -->
  <xsl:function name="f:ids" as="xs:string*">
    <xsl:param name="pointers" as="attribute()?"/>
    <xsl:sequence select="for $pointer in tokenize($pointers) return
        if (starts-with($pointer, 'words:')) then substring-before(substring-after($pointer, ':'), '/')
        else if (starts-with($pointer, '#string-range(') and contains($pointer, ',')) then substring-before(substring-after($pointer, '('), ',')
        else substring-after($pointer, '#')[starts-with($pointer, '#')]"/>
  </xsl:function>

  <!-- The element of an id, in the document of a node; a dangling pointer is an error that names it. -->
  <xsl:function name="f:target" as="element()">
    <xsl:param name="id" as="xs:string"/>
    <xsl:param name="from" as="node()"/>
    <xsl:sequence select="(key('fp:id', $id, root($from)),
        error(xs:QName('e:POINTER'), name($from) || ' points to #' || $id || ', which does not exist'))[1]"/>
  </xsl:function>

  <!-- The sigla of all witnesses by id, collected once, because every reading needs them. -->
  <xsl:variable name="fp:sigla" as="map(xs:string, xs:string)"
      select="map:merge(/*/tei:teiHeader//tei:witness[@xml:id] ! map{string(@xml:id): f:siglum(.)})"/>

  <!-- The siglum of an id; the id of no witness is an error that names it. -->
  <xsl:function name="f:siglum-of" as="xs:string">
    <xsl:param name="id" as="xs:string"/>
    <xsl:sequence select="($fp:sigla($id), error(xs:QName('e:WITNESS'), '#' || $id || ' is no witness of the header'))[1]"/>
  </xsl:function>

  <!-- The siglum of a witness: its abbr of type siglum, else its @n, its first abbr, its id (pipeline/jiaokan/tei/persons.py, siglum_of). -->
  <xsl:function name="f:siglum" as="xs:string">
    <xsl:param name="witness" as="element(tei:witness)"/>
    <xsl:variable name="own" as="element()*" select="$witness//tei:abbr[ancestor::tei:witness[1] is $witness]"/>
    <xsl:sequence select="($own[@type = 'siglum'] ! normalize-space(.), $witness/@n/string(), $own[not((ancestor::* except $witness/ancestor::*)[
        local-name() = ('msDesc', 'bibl', 'biblStruct', 'biblFull', 'listBibl', 'note', 'p')])] ! normalize-space(.), $witness/@xml:id/string(), '')[. ne ''][1]"/>
  </xsl:function>

  <!-- The name of the page (file name without suffix) of an element: that of its outermost division. -->
  <xsl:function name="f:page" as="xs:string">
    <xsl:param name="element" as="element()"/>
    <xsl:variable name="division" as="element(tei:div)?" select="$element/ancestor-or-self::tei:div[last()]"/>
    <xsl:sequence select="string(($division/@n, $division/@type)[1])"/>
  </xsl:function>

</xsl:stylesheet>
