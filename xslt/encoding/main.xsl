<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry: the page that documents the encoding, from a TEI file; the words are those of schema/jiaokan.odd, in other
     languages than its two those of the catalogue; the examples the file's own. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:eg="http://www.tei-c.org/ns/Examples"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="http://www.tei-c.org/ns/1.0" exclude-result-prefixes="#all">

  <xsl:include href="../params.xsl"/>
  <xsl:include href="../html/words.xsl"/>
  <xsl:include href="../lib/labels.xsl"/>
  <xsl:include href="../html/shown.xsl"/>
  <xsl:include href="../html/page.xsl"/>

  <xsl:output method="html" version="5" indent="no" encoding="UTF-8"/>
  <!-- What elements, attributes and rules are for, by the ids of messages, as JSON; empty: as the ODD has it. -->
  <xsl:param name="descriptions" as="xs:string" select="'{}'"/>
  <xsl:variable name="fp:described" as="map(xs:string, xs:string)" select="parse-json($descriptions)"/>
  <xsl:variable name="fp:odd" as="document-node()" select="doc('../../schema/jiaokan.odd')"/>
  <xsl:key name="fp:named" match="*" use="local-name()"/>
  <xsl:variable name="fp:long" as="xs:integer" select="900"/>

  <xsl:template match="/" as="element()">
    <xsl:variable name="tei" as="document-node()" select="."/>
    <xsl:variable name="title" as="xs:string" select="string((/TEI/teiHeader/fileDesc/titleStmt/(title[@type = 'main'], title))[1])"/>
    <html>
      <xsl:call-template name="m:head">
        <xsl:with-param name="title" select="f:word('encoding-page') || ' · ' || $title"/>
        <xsl:with-param name="class" select="'encoding'"/>
      </xsl:call-template>
      <body class="encoding">
        <xsl:call-template name="m:top">
          <xsl:with-param name="here" select="f:word('encoding-page')"/><xsl:with-param name="in" select="string(/TEI/@xml:id)"/><xsl:with-param name="title" select="$title"/>
        </xsl:call-template>
        <main id="text" tabindex="-1">
          <h1><xsl:value-of select="f:word('encoding-page')"/></h1>
          <xsl:if test="/TEI/teiHeader/encodingDesc/appInfo/application[@ident = 'jiaokan'][@type = 'shown']">
            <p><xsl:value-of select="f:word('encoding-shown')"/></p>
          </xsl:if>
          <xsl:for-each select="$fp:odd//body/div[1]/p[@xml:lang eq 'zh'][fp:holds(., $tei)]">
            <xsl:variable name="key" as="xs:string" select="'tei-encoding-' || count(preceding-sibling::p[@xml:lang eq 'zh']) + 1"/>
            <xsl:for-each select="$fp:described($key)"><p lang="{$interface}"><xsl:value-of select="fp:without-han(.)"/></p></xsl:for-each>
            <xsl:for-each select="(.[$v:chinese], preceding-sibling::p[1])[not(map:contains($fp:described, $key))]"><p lang="{@xml:lang}"><xsl:value-of select="fp:scripted(.)"/></p></xsl:for-each>
          </xsl:for-each>
          <section aria-labelledby="schema">
            <h2 id="schema"><xsl:value-of select="f:word('schema-files')"/></h2>
            <p class="files"><xsl:for-each select="'jiaokan.odd', 'jiaokan.rng', 'jiaokan.sch', 'jiaokan.xsd', 'header.xsd', 'inline.xsd', 'values.xsd', 'xml.xsd'">
              <a href="../schema/{.}" download=""><xsl:value-of select="."/></a>
            </xsl:for-each></p>
          </section>
          <section aria-labelledby="elements">
            <h2 id="elements"><xsl:value-of select="f:word('elements')"/></h2>
            <xsl:for-each select="$fp:odd//elementSpec[not($fp:letters) or key('fp:named', @ident, $tei)]">
              <xsl:call-template name="mp:element"><xsl:with-param name="tei" select="$tei"/></xsl:call-template>
            </xsl:for-each>
          </section>
          <section aria-labelledby="rules">
            <h2 id="rules"><xsl:value-of select="f:word('rules')"/></h2>
            <dl><xsl:for-each select="$fp:odd//schemaSpec/constraintSpec[@ident ne 'shared'][not($fp:letters) or not(matches(fp:desc(.), $fp:han))]">
              <dt id="rule-{@ident}"><code><xsl:value-of select="@ident"/></code></dt><xsl:call-template name="mp:words"/>
            </xsl:for-each></dl>
          </section>
        </main>
        <xsl:call-template name="m:colophon">
          <xsl:with-param name="licence" select="(/TEI/teiHeader/fileDesc/publicationStmt/availability/licence)[1]"/>
          <xsl:with-param name="statements" select="()"/>
          <xsl:with-param name="indexed" select="exists($v:facts/@indexed)"/>
        </xsl:call-template>
      </body>
    </html>
  </xsl:template>

  <!-- Whether a statement is true of a text: it names no elements, or some that the text has. -->
  <xsl:function name="fp:holds" as="xs:boolean">
    <xsl:param name="statement" as="element()"/>
    <xsl:param name="tei" as="document-node()"/>
    <xsl:sequence select="empty($statement/@n) or exists(key('fp:named', tokenize($statement/@n), $tei/TEI/text))"/>
  </xsl:function>

  <!-- Context: an elementSpec. Its use, its attributes, an example. -->
  <xsl:template name="mp:element" as="element()">
    <xsl:param name="tei" as="document-node()" required="yes"/>
    <xsl:variable name="example" as="element()?" select="fp:example($tei, @ident)"/>
    <article id="element-{@ident}">
      <h3><code>&lt;<xsl:value-of select="@ident"/>&gt;</code></h3>
      <dl><dt><xsl:value-of select="f:word('element-use')"/></dt><xsl:call-template name="mp:words"/></dl>
      <xsl:if test="attList/attDef">
        <dl><xsl:for-each select="attList/attDef">
          <dt><code>@<xsl:value-of select="@ident"/></code><xsl:if test="@usage eq 'req'"> *</xsl:if></dt>
          <xsl:variable name="said" as="element()*">
            <xsl:call-template name="mp:words"/>
            <xsl:if test="valList[@type = 'closed']"><dd><code><xsl:value-of select="valList/valItem/@ident" separator=" · "/></code></dd></xsl:if>
          </xsl:variable>
          <xsl:sequence select="$said"/>
          <xsl:if test="empty($said)"><dd>–</dd></xsl:if>
        </xsl:for-each></dl>
      </xsl:if>
      <xsl:variable name="shown" as="element()?" select="($example, exemplum/eg:egXML/*)[1]"/>
      <xsl:if test="$shown"><pre tabindex="0"><code><xsl:sequence select="f:shown(fp:xml($shown))"/></code></pre></xsl:if>
    </article>
  </xsl:template>

  <!-- Context: anything with a desc in both languages. -->
  <xsl:template name="mp:words">
    <xsl:variable name="key" as="xs:string" select="map{'elementSpec': 'tei-element-', 'attDef': 'tei-attribute-', 'constraintSpec': 'rule-'}(local-name()) || translate(@ident, ':', '.')"/>
    <xsl:for-each select="$fp:described($key)"><dd lang="{$interface}"><xsl:value-of select="fp:without-han(.)"/></dd></xsl:for-each>
    <xsl:for-each select="*:desc[not(map:contains($fp:described, $key))][not(not($v:chinese) and @xml:lang eq 'zh')]"><xsl:sort select="@xml:lang" order="descending"/><dd lang="{@xml:lang}"><xsl:value-of select="fp:scripted(.)"/></dd></xsl:for-each>
  </xsl:template>

  <!-- What the schema says, in the script of the edition. -->
  <xsl:function name="fp:scripted" as="xs:string">
    <xsl:param name="words" as="element()"/>
    <xsl:sequence select="if ($words/@xml:lang eq 'zh') then translate($words, $v:plain, $v:formed) else fp:without-han($words)"/>
  </xsl:function>

  <!-- Of a text in letters, what it is has no Chinese names beside the English ones. -->
  <xsl:variable name="fp:letters" as="xs:boolean" select="exists($v:facts/@script)"/>
  <xsl:variable name="fp:han" as="xs:string" select="'[&#x3000;-&#x303F;&#x3400;-&#x9FFF;&#xFF00;-&#xFFEF;]'"/>
  <xsl:function name="fp:without-han" as="xs:string">
    <xsl:param name="words" as="xs:string"/>
    <xsl:sequence select="if (not($fp:letters)) then $words else normalize-space($words
        => replace('\s*\([^()]*' || $fp:han || '[^()]*\)', '') => replace('[“”‘’…]*' || $fp:han || '[“”‘’…&#x3000;-&#x9FFF;&#xFF00;-&#xFFEF;]*', ''))
        => replace('( ,)+', ',') => replace(' ([.;:])', '$1')"/>
  </xsl:function>

  <!-- What a rule is for, as the page says it. -->
  <xsl:function name="fp:desc" as="xs:string">
    <xsl:param name="rule" as="element()"/>
    <xsl:sequence select="($fp:described('rule-' || $rule/@ident), $rule/*:desc[@xml:lang ne 'zh'] ! string(.))[1]"/>
  </xsl:function>

  <!-- Of the first uses of an element in the text, else in the header, the one that is shortest and still says something. -->
  <xsl:function name="fp:example" as="element()?">
    <xsl:param name="tei" as="document-node()"/>
    <xsl:param name="name" as="xs:string"/>
    <xsl:variable name="inside" as="element()*" select="key('fp:named', $name, $tei/TEI/text)"/>
    <xsl:variable name="uses" as="element()*" select="subsequence(if ($inside) then $inside else key('fp:named', $name, $tei), 1, 40)"/>
    <xsl:sequence select="sort($uses, (), function($use) { ($use[@* or node()] ! 0, 1)[1], string-length($use), count($use//*) })[1]"/>
  </xsl:function>

  <!-- An element as XML; of a long one, its children's insides left out. What no font shows is written by its number. -->
  <xsl:function name="fp:xml" as="xs:string">
    <xsl:param name="element" as="element()"/>
    <!-- Words that are too many alone need not be written out as XML to be counted: those of a whole text are megabytes. -->
    <xsl:variable name="whole" as="xs:string?" select="if (string-length($element) gt $fp:long) then () else serialize($element)[string-length(.) le $fp:long]"/>
    <xsl:variable name="short" as="element()"><xsl:apply-templates select="$element" mode="mp:short"/></xsl:variable>
    <xsl:variable name="xml" as="xs:string" select="replace(($whole, serialize($short))[1], ' xmlns(:\w+)?=&quot;[^&quot;]*&quot;', '')"/>
    <xsl:sequence select="string-join(analyze-string($xml, '[&#xE000;-&#xF8FF;]')/* ! (if (self::fn:match) then '&amp;#x' || fp:hexadecimal(string-to-codepoints(.)) || ';' else string(.)))"
        xmlns:fn="http://www.w3.org/2005/xpath-functions"/>
  </xsl:function>

  <xsl:template match="*" mode="mp:short" as="element()">
    <xsl:copy>
      <xsl:sequence select="@*"/>
      <xsl:for-each select="*[position() le 6]">
        <xsl:text>&#10;  </xsl:text><xsl:copy><xsl:sequence select="@*"/>…</xsl:copy>
      </xsl:for-each>
      <xsl:text>&#10;</xsl:text>
    </xsl:copy>
  </xsl:template>
</xsl:stylesheet>
