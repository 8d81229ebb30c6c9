<?xml version="1.0" encoding="UTF-8"?>
<!-- Common parts of all pages: head, skip link, frame. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:array="http://www.w3.org/2005/xpath-functions/array"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="colophon.xsl"/>

  <!-- Metadata by schema.org as JSON-LD, a block of data, which the security policy allows; `about`: what the page is. -->
  <xsl:template name="m:schema" as="element()">
    <xsl:param name="meta" as="element(p:meta)" required="yes"/>
    <xsl:param name="about" as="map(xs:string, item())" required="yes"/>
    <xsl:variable name="known" as="map(xs:string, item()?)" select="map{
        'author': array{$meta/author ! map{'@type': 'Person', 'name': string(.)}},
        'editor': array{$meta/editor ! map{'@type': 'Person', 'name': string(.)}},
        'publisher': $meta/publisher[. ne ''] ! map{'@type': 'Organization', 'name': string(.)},
        'datePublished': $meta/date[. ne ''] ! string(.), 'inLanguage': string($meta/../@xml:lang),
        'license': (f:safe($meta/licence/@target), $meta/licence[. ne ''])[1] ! string(.)}"/>
    <xsl:variable name="all" as="map(*)*" select="map{'@context': 'https://schema.org'}, $about,
        map:keys($known) ! map:entry(., $known(.))[exists(?*) and not(?* instance of array(*) and array:size(?*) eq 0)]"/>
    <script type="application/ld+json">
      <xsl:sequence select="serialize(map:merge($all), map{'method': 'json'}) => replace('&lt;', '\\u003c') => replace('&amp;', '\\u0026')"/>
    </script>
  </xsl:template>

  <!-- The same metadata as Dublin Core. Context: p:meta. -->
  <xsl:template name="mp:dublin-core" as="element()+">
    <xsl:param name="title" as="xs:string" required="yes"/>
    <meta name="DC.title" content="{$title}"/>
    <xsl:for-each select="author | editor"><meta name="DC.creator" content="{.}"/></xsl:for-each>
    <xsl:for-each select="publisher[. ne '']"><meta name="DC.publisher" content="{.}"/></xsl:for-each>
    <xsl:for-each select="date[. ne '']"><meta name="DC.date" content="{.}"/></xsl:for-each>
    <xsl:for-each select="licence[. ne '']"><meta name="DC.rights" content="{.}"/></xsl:for-each>
    <meta name="DC.language" content="{../@xml:lang}"/>
    <meta name="DC.type" content="Text"/>
  </xsl:template>

  <!-- The beginning of a page's html: its language, its head. A page is written where this is called, not returned as a value:
       that would copy it once more. -->
  <xsl:template name="m:head" as="node()+">
    <xsl:param name="title" as="xs:string" required="yes"/>
    <xsl:param name="class" as="xs:string" required="yes"/>
    <xsl:param name="root" as="xs:string" select="'../'"/>
    <xsl:param name="about" as="xs:string" select="''"/>
    <xsl:param name="meta" as="element(p:meta)?" select="()"/>
    <!-- Scripts and style sheets of assets/ beside those of all pages. -->
    <xsl:param name="scripts" as="xs:string*" select="()"/>
    <xsl:attribute name="lang" select="(map{'hans': 'zh-Hans', 'hant': 'zh-Hant'}($interface), $interface)[1]"/>
    <!-- A page of a text in letters, or of texts that all are (letters.css). -->
    <xsl:variable name="letters" as="xs:boolean" select="exists(($meta/../@script, $v:facts/@script)) or exists(self::collection/card) and empty(self::collection/card[not(@script)])"/>
    <xsl:if test="$letters"><xsl:attribute name="data-letters" select="''"/></xsl:if>
    <head>
      <!-- file: is for pages opened from disk, where 'self' matches nothing in some browsers; pages from a web server cannot load it. -->
      <meta http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'self' file:; script-src 'self' file:; font-src 'self' file:; img-src 'self' file:{normalize-space(' ' || $v:image-hosts) ! (if (.) then ' ' || . else '')}; base-uri 'none'; form-action {if ($class = ('landing', 'collection')) then '''self'' file:' else '''none'''}"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <title><xsl:value-of select="$title"/></title>
      <xsl:if test="$about"><meta name="description" content="{$about}"/></xsl:if>
      <xsl:for-each select="$meta"><xsl:call-template name="mp:dublin-core"><xsl:with-param name="title" select="$title"/></xsl:call-template></xsl:for-each>
      <!-- The site's fonts; a page with one of its own loads them when it is shown (language.js). -->
      <noscript><link rel="stylesheet" href="{$root}assets/font-rest.css"/><link rel="stylesheet" href="{$root}assets/font.css"/></noscript>
      <link rel="stylesheet" href="{if ($class = ('chapter', 'landing')) then 'first-' || (@page, 'index')[1] else $root || 'assets/font'}.css"/>
      <link rel="stylesheet" href="{$root}assets/paper.css"/>
      <xsl:for-each select="if ($class eq 'chapter') then ('chapter', 'vertical', 'witness'[$meta/witness], 'card', 'jiazhu', 'running', 'points', 'forms') else if ($class = ('landing', 'collection')) then 'landing' else $class">
        <link rel="stylesheet" href="{$root}assets/{.}.css"/>
      </xsl:for-each>
      <xsl:if test="$letters"><link rel="stylesheet" href="{$root}assets/font-letters.css"/><link rel="stylesheet" href="{$root}assets/letters.css"/></xsl:if>
      <link rel="icon" href="{$root}assets/seal.svg" type="image/svg+xml"/>
      <script src="{$root}assets/words.js" defer="defer"/>
      <script src="{$root}assets/names.js" defer="defer"/>
      <script src="{$root}assets/language.js" defer="defer"/>
      <xsl:if test="$class eq 'chapter'">
        <script src="{$root}assets/later.js" defer="defer"/>
        <script src="{$root}assets/address.js" defer="defer"/>
        <script src="{$root}assets/forms.js" defer="defer"/>
        <script src="{$root}assets/chapter.js" defer="defer"/>
        <xsl:if test="$meta/witness">
          <script src="{$root}assets/view.js" defer="defer"/>
          <script src="{$root}assets/beside.js" defer="defer"/>
          <script src="{$root}assets/witness.js" defer="defer"/>
        </xsl:if>
        <script src="{$root}assets/points.js" defer="defer"/>
        <xsl:if test="$v:image-hosts ne ''"><script src="{$root}assets/leaves.js" defer="defer"/></xsl:if>
        <xsl:if test="@page = $v:places"><script src="places-{@page}.js" defer="defer"/></xsl:if>
        <script src="{$root}assets/upright.js" defer="defer"/>
        <script src="{$root}assets/jiazhu.js" defer="defer"/>
        <script src="{$root}assets/cite.js" defer="defer"/>
        <script src="{$root}assets/found.js" defer="defer"/>
        <script src="{$root}assets/copy.js" defer="defer"/>
        <script src="{$root}assets/word.js" defer="defer"/>
        <script src="{$root}assets/notes.js" defer="defer"/>
        <script src="{$root}assets/own.js" defer="defer"/>
        <script src="{$root}assets/legend.js" defer="defer"/>
        <script src="{$root}assets/keys.js" defer="defer"/>
      </xsl:if>
      <xsl:for-each select="$scripts"><script src="{$root}assets/{.}.js" defer="defer"/></xsl:for-each>
    </head>
  </xsl:template>

  <!-- A search box that leads to the page of search; of one text, if its folder is given. -->
  <xsl:template name="m:ask" as="element()">
    <xsl:param name="root" as="xs:string" select="''"/>
    <xsl:param name="in" as="xs:string" select="''"/>
    <form class="ask" role="search" action="{$root}search.html" method="get">
      <xsl:if test="$in"><input type="hidden" name="in" value="{$in}"/></xsl:if>
      <input type="search" name="q" aria-label="{f:word('search')}" placeholder="{f:word(if ($v:chinese) then 'search-words' else 'words')}" enterkeyhint="search"/>
      <button><xsl:value-of select="f:word('search')"/></button>
    </form>
  </xsl:template>

  <!-- The beginning of the body: the skip link. -->
  <!-- The bar of a page: where it is, `here`, in the text whose id is `in`, else in the site; and the search in that. -->
  <xsl:template name="m:top" as="element()+">
    <xsl:param name="here" as="xs:string" required="yes"/>
    <xsl:param name="in" as="xs:string?" select="()"/>
    <xsl:param name="title" as="xs:string?" select="()"/>
    <xsl:variable name="root" as="xs:string" select="if (exists($in)) then '../' else ''"/>
    <xsl:call-template name="m:skip"/>
    <header class="bar">
      <nav class="path" aria-label="{f:word('collection')}">
        <a href="{$root}index.html"><xsl:value-of select="f:word('collection')"/></a>
        <xsl:if test="$title"><a href="index.html" data-name="{$title}"><xsl:value-of select="$title"/></a></xsl:if>
        <b><xsl:value-of select="$here"/></b>
      </nav>
      <a href="{$root}search.html{$in ! ('?in=' || .)}"><xsl:value-of select="f:word('search')"/></a>
    </header>
  </xsl:template>

  <xsl:template name="m:skip" as="element()">
    <a class="skip" href="#text"><xsl:value-of select="f:word('skip')"/></a>
  </xsl:template>
</xsl:stylesheet>
