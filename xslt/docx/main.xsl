<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry point: TEI (or its prepared form) → the XHTML that Pandoc converts to a file for word processors. @custom-style is a
     style of styles.xml; entries of the apparatus and the editor's notes are footnotes in the order of the text. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xmlns:m="urn:jiaokan:modes"
    xmlns:f="urn:jiaokan:functions" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="../prepare/main.xsl"/>
  <xsl:include href="../lib/printed.xsl"/>
  <xsl:include href="../lib/stated.xsl"/>
  <xsl:include href="../lib/selected.xsl"/>
  <xsl:include href="../lib/sigla.xsl"/>
  <xsl:include href="inline.xsl"/>
  <xsl:include href="forms.xsl"/>

  <xsl:output method="xml" encoding="UTF-8" indent="no"/>

  <!-- Between a label or number and its words. -->
  <xsl:variable name="v:gap" as="xs:string" select="if ($v:facts/@script) then '&#x2003;' else '　'"/>

  <xsl:mode name="m:book" on-no-match="fail"/>
  <xsl:mode name="m:block" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="p:text" mode="m:book">
    <html lang="{(map{'hans': 'zh-CN', 'hant': 'zh-TW'}($interface), $interface)[1]}">
      <head>
        <title><xsl:value-of select="p:meta/p:title"/></title>
        <xsl:for-each select="p:meta/p:editor"><meta name="author" content="{.}"/></xsl:for-each>
        <xsl:for-each select="p:meta/p:date"><meta name="date" content="{.}"/></xsl:for-each>
      </head>
      <body>
        <xsl:apply-templates select="p:meta" mode="m:book"/>
        <xsl:apply-templates select="p:chapter" mode="m:block"/>
        <xsl:variable name="slips" as="element(p:slip)*" select="f:slips(.)"/>
        <xsl:if test="f:part('slips') and $slips">
          <h1><xsl:value-of select="f:word('book-slips')"/></h1>
          <xsl:for-each select="$slips"><xsl:sequence select="mp:styled('说明', @ref || $v:gap || .)"/></xsl:for-each>
        </xsl:if>
        <xsl:apply-templates select="(p:chapter//(p:app | p:move | p:corrected | p:supplied | p:note)[f:noted(.)])
            [not(ancestor::p:entry or ancestor::p:other)]" mode="m:footnote"/>
      </body>
    </html>
  </xsl:template>

  <!-- Principles of the edition, witnesses, licence. -->
  <xsl:template match="p:meta" mode="m:book">
    <xsl:for-each select="p:subtitle"><xsl:sequence select="mp:styled('副题', .)"/></xsl:for-each>
    <xsl:for-each select="$v:matter">
      <h1><xsl:value-of select="@title"/></h1>
      <xsl:apply-templates select="p:piece" mode="mp:own"/>
      <xsl:sequence select="mp:styled('说明', @by)"/>
    </xsl:for-each>
    <xsl:variable name="sigla" as="xs:string*" select="p:witness/@siglum"/>
    <xsl:if test="p:stated and f:part('principles')">
      <h1><xsl:value-of select="f:word('book-stated')"/></h1>
      <xsl:for-each select="f:stated-parts(.)">
        <h2><xsl:value-of select="f:stated-label(.)"/></h2>
        <xsl:for-each select="f:own-rows(.)"><xsl:sequence select="mp:styled('说明', mp:listed(@label, ., @label = $sigla))"/></xsl:for-each>
      </xsl:for-each>
      <xsl:sequence select="mp:styled('说明', f:word('book-shown-with-sentence'))"/>
    </xsl:if>
    <xsl:if test="not(p:stated) and f:part('principles') and $v:principles and (p:description, p:principle)">
      <h1><xsl:value-of select="f:word('book-principles')"/></h1>
      <xsl:for-each select="p:description, p:principle"><xsl:sequence select="mp:styled('说明', f:principle-label(.) || .)"/></xsl:for-each>
    </xsl:if>
    <xsl:if test="not(p:stated) and f:part('witnesses') and p:witness[not(@reported)]">
      <h1><xsl:value-of select="f:word('book-witnesses')"/></h1>
      <xsl:for-each select="p:witness[not(@reported)]">
        <xsl:sequence select="mp:styled('说明', mp:listed(@siglum, string-join((@title, f:makers(.)[.], p:about), $v:gap), true()))"/>
      </xsl:for-each>
    </xsl:if>
    <xsl:for-each select="f:part('colophon')[.] ! current()[not(p:stated)]/p:licence"><xsl:sequence select="mp:styled('说明', string(.))"/></xsl:for-each>
  </xsl:template>

  <!-- The editor's own front matter. -->
  <xsl:mode name="mp:own" on-no-match="fail"/>
  <xsl:template match="p:piece" mode="mp:own">
    <xsl:variable name="words">
      <xsl:value-of select="@sign || $v:gap[current()/@sign ne '']"/>
      <xsl:apply-templates select="node()" mode="mp:own"/>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="@kind = 'heading'"><h2><xsl:sequence select="$words"/></h2></xsl:when>
      <xsl:otherwise><div custom-style="说明"><p><xsl:sequence select="$words"/></p></div></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
  <xsl:template match="p:em | p:strong | p:br" mode="mp:own">
    <xsl:element name="{local-name()}"><xsl:apply-templates select="node()" mode="mp:own"/></xsl:element>
  </xsl:template>
  <xsl:template match="p:link" mode="mp:own"><a href="{@target}"><xsl:apply-templates select="node()" mode="mp:own"/></a></xsl:template>
  <xsl:template match="text()" mode="mp:own"><xsl:value-of select="."/></xsl:template>

  <!-- A label and its words; a siglum has a style. -->
  <xsl:function name="mp:listed" as="element(p:row)">
    <xsl:param name="label" as="xs:string?"/>
    <xsl:param name="words" as="xs:string"/>
    <xsl:param name="siglum" as="xs:boolean"/>
    <p:row><xsl:choose>
      <xsl:when test="$siglum"><span custom-style="本名"><xsl:value-of select="$label"/></span></xsl:when>
      <xsl:otherwise><xsl:value-of select="$label"/></xsl:otherwise>
    </xsl:choose><xsl:value-of select="$v:gap[$label ne '' and $words ne '']"/><xsl:value-of select="$words"/></p:row>
  </xsl:function>

  <xsl:function name="mp:styled">
    <xsl:param name="style"/>
    <xsl:param name="words"/>
    <div custom-style="{$style}"><p><xsl:sequence select="$words ! (if (. instance of element()) then node() else .)"/></p></div>
  </xsl:function>

  <xsl:template match="p:chapter" mode="m:block">
    <!-- In letters a chapter's head is its heading; a heading of a Chinese book stands beside the title 题 of its text. -->
    <xsl:variable name="head" as="element()*" select="p:passage[1][$v:facts/@script][@kind = 'head'][normalize-space(string-join(p:head)) eq normalize-space(../@title)]"/>
    <h1 id="{@id}"><xsl:choose>
      <xsl:when test="$head"><span custom-style="题名"><xsl:apply-templates select="$head/p:head" mode="m:inline"/></span></xsl:when>
      <xsl:otherwise><xsl:value-of select="@title"/></xsl:otherwise>
    </xsl:choose></h1>
    <xsl:for-each select="f:correspondence(.)"><p><xsl:value-of select="."/></p></xsl:for-each>
    <xsl:if test="@collation"><xsl:sequence select="mp:styled('说明', string(@collation))"/></xsl:if>
    <xsl:apply-templates select="* except (p:coverage, p:voice, $head)" mode="m:block"/>
    <xsl:apply-templates select="$head/p:commentary/*" mode="m:note"/>
  </xsl:template>

  <xsl:template match="p:section" mode="m:block">
    <xsl:element name="h{min((6, 1 + count(ancestor-or-self::p:section)))}">
      <xsl:attribute name="id" select="@id"/>
      <xsl:value-of select="(@title, f:margin(@ref))[. ne ''][1]"/>
    </xsl:element>
    <xsl:apply-templates select="*" mode="m:block"/>
  </xsl:template>

  <xsl:template match="p:passage" mode="m:block">
    <xsl:variable name="words" as="element()*" select="* except p:commentary"/>
    <xsl:for-each select="*[1]/(@group, @label)"><div custom-style="说明"><p><xsl:value-of select="."/></p></div></xsl:for-each>
    <xsl:for-each-group select="$words" group-adjacent="local-name()">
      <div custom-style="{(mp:style-of(current-group()[1]), map{'unit': '经文', 'head': '题', 'trailer': '结语', 'figure': '图'}(current-grouping-key()), '正文')[1]}">
        <p><xsl:apply-templates select="current-group()" mode="m:inline"/></p>
      </div>
    </xsl:for-each-group>
    <xsl:for-each select="ancestor::p:text/p:translation/p:of[@id = current()/p:unit/@id]">
      <div custom-style="译文"><p lang="{../@xml:lang}"><xsl:value-of select="../@name || $v:gap || ."/></p></div>
    </xsl:for-each>
    <xsl:apply-templates select="p:commentary/*" mode="m:note"/>
  </xsl:template>

  <xsl:template match="p:furniture" mode="m:block">
    <div custom-style="卷端"><p><xsl:apply-templates select="node()" mode="m:inline"/></p></div>
  </xsl:template>

  <xsl:template match="p:juan | p:apparatus" mode="m:block"/>

</xsl:stylesheet>
