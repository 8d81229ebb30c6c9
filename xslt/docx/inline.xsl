<?xml version="1.0" encoding="UTF-8"?>
<!-- Notes, inline content and footnotes as XHTML (modes m:note, m:inline, m:footnote). -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xmlns:m="urn:jiaokan:modes"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:mode name="m:note" on-no-match="fail" on-multiple-match="fail"/>
  <xsl:mode name="m:inline" on-no-match="fail" on-multiple-match="fail"/>
  <xsl:mode name="m:footnote" on-no-match="fail" on-multiple-match="fail"/>

  <!-- `after`: the entry about the presence of this note; its footnote is at the note's end. -->
  <xsl:template match="p:note" mode="m:note">
    <xsl:param name="after" as="element(p:app)*"/>
    <div custom-style="注文">
      <p>
        <xsl:if test="@label ne ''"><span custom-style="注家"><xsl:value-of select="@label"/></span><xsl:value-of select="$v:gap"/></xsl:if>
        <xsl:apply-templates select="node()" mode="m:inline"/>
        <xsl:for-each select="$after"><xsl:call-template name="mp:call"/></xsl:for-each>
        <xsl:if test="@sigla ne '' and not(ancestor::p:chapter[1]/count(p:coverage) = 1)"><xsl:value-of select="$v:gap"/><span custom-style="见存"><xsl:value-of select="@sigla"/></span></xsl:if>
      </p>
    </div>
  </xsl:template>

  <xsl:template match="p:app[empty(*)]" mode="m:note">
    <div custom-style="注文"><p><xsl:call-template name="mp:call"/></p></div>
  </xsl:template>

  <xsl:template match="p:notes | p:app[*]" mode="m:note">
    <xsl:param name="after" as="element(p:app)*"/>
    <xsl:apply-templates select="*[position() lt last()]" mode="m:note"/>
    <xsl:apply-templates select="*[last()]" mode="m:note">
      <xsl:with-param name="after" select="self::p:app, $after"/>
    </xsl:apply-templates>
  </xsl:template>

  <xsl:template match="text()[not(normalize-space())]" mode="m:note"/>

  <!-- The reference to a footnote. Context: the element with the note, if there is a note. -->
  <xsl:template name="mp:call">
    <xsl:if test="f:noted(.)">
      <a epub:type="noteref" href="#fn{accumulator-after('fp:running')}">*</a>
    </xsl:if>
  </xsl:template>

  <xsl:template match="p:app | p:move | p:corrected | p:supplied | p:note" mode="m:footnote">
    <aside epub:type="footnote" id="fn{accumulator-after('fp:running')}">
      <p>
        <!-- The verse; word processors number the notes. -->
        <xsl:for-each select="(self::p:app, self::p:note, self::p:corrected)/ancestor::p:line[1][f:in-letters(.)]/@n[. ne '']"><span custom-style="编号"><xsl:value-of select="."/></span><xsl:text> </xsl:text></xsl:for-each>
        <xsl:apply-templates select="." mode="mp:words"/>
      </p>
    </aside>
  </xsl:template>

  <xsl:mode name="mp:words" on-no-match="fail"/>
  <xsl:template match="p:app" mode="mp:words"><xsl:apply-templates select="f:entry(.)" mode="mp:words"/></xsl:template>
  <!-- An entry, then those inside its readings. -->
  <xsl:template match="p:entry" mode="mp:words">
    <xsl:apply-templates select="p:sentence ! f:grouped-sigla(.), p:comment/node()" mode="mp:words"/>
    <xsl:value-of select="f:word('book-within-entry')[exists(f:within(current()))]"/>
    <xsl:apply-templates select="f:within(.)" mode="mp:words"/>
  </xsl:template>
  <xsl:template match="p:siglum" mode="mp:words"><span custom-style="本名"><xsl:value-of select="."/></span></xsl:template>
  <xsl:template match="p:q | p:class" mode="mp:words"><xsl:value-of select="."/></xsl:template>
  <xsl:template match="text()" mode="mp:words"><xsl:value-of select="."/></xsl:template>
  <xsl:template match="p:move" mode="mp:words"><xsl:value-of select="@said"/></xsl:template>
  <xsl:template match="p:corrected | p:supplied" mode="mp:words"><xsl:value-of select="f:remark(.)"/></xsl:template>
  <xsl:template match="p:corrected[f:as-variant(.)]" mode="mp:words" priority="1">
    <xsl:value-of select="f:right(.) || '] ' || @sic || ' sic'"/>
    <xsl:if test="@evidence ne ''"><xsl:value-of select="f:word('book-after-evidence', map{'evidence': f:basis(.)})"/></xsl:if>
  </xsl:template>
  <xsl:template match="p:note" mode="mp:words"><xsl:apply-templates select="node()" mode="m:inline"/></xsl:template>

  <xsl:template match="text()" mode="m:inline"><xsl:value-of select="."/></xsl:template>

  <!-- The editor's punctuation and names, in the style of the book. -->
  <xsl:template match="p:mark" mode="m:inline"><xsl:value-of select="f:mark(., $points)"/></xsl:template>
  <xsl:template match="p:set-aside" mode="m:inline"/>
  <xsl:template match="p:name" mode="m:inline">
    <xsl:choose>
      <xsl:when test="f:line(@kind, $points)"><u><xsl:apply-templates select="node()" mode="m:inline"/></u></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="node()" mode="m:inline"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="p:unit" mode="m:inline">
    <xsl:if test="@ref and not(@again or @form[not(../@number)])"><span custom-style="编号"><xsl:value-of select="f:margin(@ref)"/></span><xsl:value-of select="$v:gap"/></xsl:if>
    <xsl:apply-templates select="node()" mode="m:inline"/>
  </xsl:template>

  <xsl:template match="p:line" mode="m:inline">
    <xsl:if test="preceding-sibling::p:line"><br/></xsl:if>
    <!-- Every fifth verse has its number; the first of a unit has the reference of that. -->
    <xsl:if test="f:in-letters(.) and preceding-sibling::p:line and matches(@n, '^([0-9]+\.)*[0-9]*[05]$')">
      <span custom-style="编号"><xsl:value-of select="tokenize(@n, '\.')[last()]"/></span><xsl:value-of select="$v:gap"/>
    </xsl:if>
    <xsl:apply-templates select="node()" mode="m:inline"/>
  </xsl:template>

  <xsl:template match="p:head | p:trailer | p:prose | p:attribution | p:accidental" mode="m:inline">
    <xsl:apply-templates select="node() except p:other" mode="m:inline"/>
  </xsl:template>

  <xsl:template match="p:app | p:move" mode="m:inline">
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:call-template name="mp:call"/>
  </xsl:template>

  <xsl:template match="p:corrected[f:as-variant(.)]" mode="m:inline" priority="1">
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:call-template name="mp:call"/>
  </xsl:template>

  <xsl:template match="p:corrected | p:supplied" mode="m:inline">
    <xsl:variable name="signs" as="xs:string" select="if (not($v:facts/@script)) then '（）〔〕' else if (self::p:supplied) then '()' || f:supplied-brackets(.) else '()&lt;&gt;'"/>
    <xsl:if test="@sic ne ''"><span custom-style="校改"><xsl:value-of select="substring($signs, 1, 1)"/></span><xsl:value-of select="@sic"/><span custom-style="校改"><xsl:value-of select="substring($signs, 2, 1)"/></span></xsl:if>
    <xsl:if test="string(.) ne ''">
      <span custom-style="校改"><xsl:value-of select="substring($signs, 3, 1)"/></span><xsl:apply-templates select="node()" mode="m:inline"/><span custom-style="校改"><xsl:value-of select="substring($signs, 4)"/></span>
    </xsl:if>
    <xsl:call-template name="mp:call"/>
  </xsl:template>

  <xsl:template match="p:g | p:gap" mode="m:inline"><xsl:value-of select="."/></xsl:template>
  <xsl:template match="p:gap[not(@rend)][f:in-letters(.)]" mode="m:inline" priority="1">
    <xsl:value-of select="if (@reason = 'blank') then '&#x2003;' else '[…]'"/>
  </xsl:template>
  <xsl:template match="p:space" mode="m:inline"><xsl:value-of select="$v:gap"/></xsl:template>
  <xsl:template match="p:juan" mode="m:inline"/>

  <!-- In the brackets of the source. -->
  <xsl:template match="p:span | p:note | p:notes" mode="m:inline">
    <xsl:variable name="brackets" as="xs:string*" select="@rend/(substring(., 1, 1), substring(., 2))"/>
    <xsl:value-of select="$brackets[1]"/>
    <xsl:if test="@of"><span custom-style="见存"><xsl:value-of select="@of"/></span></xsl:if>
    <xsl:apply-templates select="node()" mode="m:inline"/>
    <xsl:value-of select="$brackets[2]"/>
  </xsl:template>

  <xsl:template match="p:note[f:is-band(.)]" mode="m:inline" priority="2"><xsl:call-template name="mp:call"/></xsl:template>

  <!-- Its style says that the brackets are not the text's. -->
  <xsl:template match="p:note[not(@rend)][f:in-letters(.)]" mode="m:inline" priority="1">
    <xsl:text> </xsl:text>
    <span custom-style="夹注">(<xsl:if test="@of"><xsl:value-of select="@of || ' '"/></xsl:if><xsl:apply-templates select="node()" mode="m:inline"/>)</span>
  </xsl:template>

  <!-- In a note with entries or emendations the brackets alone say what it is: runs of a word processor have one style. -->
  <xsl:template match="p:note[@rend][empty(.//(p:app | p:corrected | p:supplied | p:note | p:move))]" mode="m:inline" priority="1">
    <span custom-style="夹注"><xsl:value-of select="substring(@rend, 1, 1)"/><xsl:apply-templates select="node()" mode="m:inline"/><xsl:value-of select="substring(@rend, 2)"/></span>
  </xsl:template>

  <xsl:template match="p:figure" mode="m:inline">〔<xsl:value-of select="normalize-space(.)"/>〕</xsl:template>

</xsl:stylesheet>
