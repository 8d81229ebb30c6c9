<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry point: the search page of the collection, from p:collection with a p:card for each text. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="../params.xsl"/>
  <xsl:include href="words.xsl"/>
  <xsl:include href="../lib/labels.xsl"/>
  <xsl:include href="page.xsl"/>

  <xsl:output method="html" version="5" indent="no" encoding="UTF-8"/>

  <xsl:template match="/" as="element()">
    <xsl:for-each select="collection">
      <html>
        <xsl:call-template name="m:head">
          <xsl:with-param name="title" select="f:word('search') || ' · ' || @title"/>
          <xsl:with-param name="class" select="'search'"/>
          <xsl:with-param name="root" select="''"/>
          <xsl:with-param name="scripts" select="'fold', 'index', 'grams', 'search'"/>
        </xsl:call-template>
        <body class="search">
          <xsl:call-template name="m:skip"/>
          <header class="bar">
            <nav class="path" aria-label="{f:word('collection')}"><a href="index.html"><xsl:value-of select="f:word('collection')"/></a><b><xsl:value-of select="f:word('search')"/></b></nav>
          </header>
          <main id="text" tabindex="-1">
            <h1><xsl:value-of select="f:word('search')"/></h1>
            <p class="noscript"><xsl:value-of select="f:word('search-needs-script')"/></p>
            <xsl:call-template name="mp:form"/>
            <div id="strip" role="group" aria-label="{f:word('filter')}"/>
            <p id="told" role="status"><xsl:value-of select="f:word(if ($fp:cells) then 'search-how' else 'search-how-letters')"/></p>
            <ol id="found"/>
          </main>
        </body>
      </html>
    </xsl:for-each>
  </xsl:template>

  <!-- The texts, if all are in letters (characters/scripts.toml). -->
  <xsl:variable name="fp:of-letters" as="element(p:card)*" select="/collection/card[@script][empty(../card[not(@script)])]"/>
  <xsl:variable name="fp:cells" as="xs:boolean" select="empty($fp:of-letters)"/>

  <xsl:template name="mp:form" as="element()">
    <form id="search" role="search" autocomplete="off" data-none="{f:word('found-none')}" data-some="{f:word('found')}" data-more="{f:word('found-more')}"
        data-loading="{f:word('loading')}" data-on="{f:word('search-on')}" data-variant="{f:word('entry')}" data-name="{f:word('in-text')}"
        data-character="{f:word('character-page')}" data-units="{f:word('units')}" data-chapters="{f:word('chapters')}" data-speakers="{f:word('speakers')}">
      <xsl:if test="@library"><xsl:attribute name="data-library" select="'yes'"/></xsl:if>
      <input type="search" name="q" id="q" aria-label="{f:word('search')}" placeholder="{f:word(if ($fp:cells) then 'search-words' else 'words')}" enterkeyhint="search"/>
      <button><xsl:value-of select="f:word('search')"/></button>
      <fieldset>
        <legend><xsl:value-of select="f:word('layers')"/></legend>
        <xsl:for-each select="'b', 'n'[not($fp:of-letters) or $fp:of-letters/@notes[. ne '0']], 'v'[not($fp:of-letters) or $fp:of-letters/@entries[. ne '0']]">
          <label><input type="checkbox" name="layer" value="{.}" checked="checked"/><span><xsl:value-of select="f:word('layer-' || .)"/></span></label>
        </xsl:for-each>
      </fieldset>
      <fieldset class="texts">
        <legend><xsl:value-of select="f:word('search-in')"/></legend>
        <xsl:for-each select="card[not(../@library)]">
          <xsl:variable name="id" as="xs:string" select="@id"/>
          <label><input type="checkbox" name="in" value="{@folder}" checked="checked"><xsl:for-each select="../card[tokenize(@collates) = $id][1]"><xsl:attribute name="data-edition" select="@folder"/></xsl:for-each></input><span><xsl:value-of select="string-join((title, subtitle), ' ')"/></span></label>
        </xsl:for-each>
      </fieldset>
      <xsl:if test="count(distinct-values(card/@section)) gt 1">
        <label class="who"><span><xsl:value-of select="f:word('shelves')"/></span>
          <select name="sec"><option value=""><xsl:value-of select="f:word('all-speakers')"/></option>
            <xsl:for-each select="distinct-values(card/@section)[. ne '']"><option><xsl:value-of select="."/></option></xsl:for-each></select></label>
      </xsl:if>
      <label class="who"><xsl:if test="$fp:of-letters and empty($fp:of-letters/@notes[. ne '0'])"><xsl:attribute name="hidden" select="'hidden'"/></xsl:if><span><xsl:value-of select="f:word('speakers')"/></span><select name="who"><option value=""><xsl:value-of select="f:word('all-speakers')"/></option></select></label>
    </form>
  </xsl:template>
</xsl:stylesheet>
