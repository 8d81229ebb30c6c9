<?xml version="1.0" encoding="UTF-8"?>
<!-- The editor's layer: punctuation and names. First the sign of each of its marks is moved into the attribute n, so that
     no string of the text contains it, whatever is counted, compared or searched. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:v="urn:jiaokan:variables" xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The document with the editor's marks in attributes; the same document if it has none. -->
  <xsl:function name="f:aside" as="document-node()">
    <xsl:param name="tei" as="document-node()"/>
    <xsl:choose>
      <xsl:when test="exists(($tei//tei:pc[not(@type or @rend)][node()])[1])">
        <xsl:document><xsl:apply-templates select="$tei/node()" mode="mp:aside"/></xsl:document>
      </xsl:when>
      <xsl:otherwise><xsl:sequence select="$tei"/></xsl:otherwise>
    </xsl:choose>
  </xsl:function>

  <xsl:mode name="mp:aside" on-no-match="shallow-copy"/>

  <xsl:template match="tei:pc[not(@type or @rend)][node()]" mode="mp:aside" as="element(tei:pc)">
    <tei:pc n="{.}"><xsl:copy-of select="@resp, @cert"/></tei:pc>
  </xsl:template>

  <!-- How sure a mark or name is that does not say so. -->
  <xsl:variable name="v:cert" as="xs:string" select="string(f:encoding(/*/tei:teiHeader)/tei:editorialDecl/tei:punctuation/@cert)"/>

  <xsl:template match="tei:pc[@n]" mode="m:resolve" as="element(p:mark)?">
    <xsl:if test="$v:layer"><mark sign="{@n}" cert="{(@cert, $v:cert)[1]}"/></xsl:if>
  </xsl:template>

  <xsl:template match="(tei:persName | tei:placeName | tei:orgName | tei:title | tei:name)[@resp]" mode="m:resolve" as="node()*">
    <xsl:choose>
      <xsl:when test="$v:layer">
        <name kind="{f:kind(.)}" ref="{f:ids(@ref)}" cert="{(@cert, $v:cert)[1]}">
          <xsl:if test="@n"><xsl:attribute name="part" select="@n"/></xsl:if>
          <xsl:apply-templates select="node()" mode="m:resolve"/>
        </name>
      </xsl:when>
      <xsl:otherwise><xsl:apply-templates select="node()" mode="m:resolve"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="tei:pc[@type = 'source']" mode="m:resolve" as="node()*">
    <xsl:variable name="mark" as="node()*">
      <xsl:choose>
        <xsl:when test="@rend"><span role="punct"><xsl:copy-of select="@rend"/><xsl:apply-templates select="node()" mode="m:resolve"/></span></xsl:when>
        <xsl:otherwise><xsl:apply-templates select="node()" mode="m:resolve"/></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$v:layer"><set-aside><xsl:sequence select="$mark"/></set-aside></xsl:when>
      <xsl:otherwise><xsl:sequence select="$mark"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Text nodes of a document as shown: with the marks of a source normalised, which depends on the whole text around them.
       By generate-id; only those with marks that are shown otherwise. -->
  <xsl:function name="f:normalised-words" as="map(xs:string, xs:string)">
    <xsl:param name="tei" as="document-node()"/>
    <xsl:variable name="rows" as="map(xs:string, xs:string)*">
      <xsl:for-each-group select="if ($marks eq 'source' or $v:facts/@marks eq 'source') then () else $tei/*/tei:text//text()[translate(., $f:narrow, '') ne .]"
          group-by="ancestor::*[self::tei:seg[@type = 'jing'] | self::tei:lg | self::tei:note | self::tei:head | self::tei:trailer | self::tei:rdg | self::tei:p][1] ! generate-id()">
        <xsl:variable name="text" as="element()" select="ancestor::*[generate-id() eq current-grouping-key()]"/>
        <xsl:variable name="wanted" as="text()+" select="current-group()"/>
        <xsl:variable name="all" as="text()*" select="$text//text()[not(ancestor::tei:rdg[. >> $text] | ancestor::tei:note[. >> $text] | ancestor::tei:corr)]"/>
        <xsl:variable name="shown" as="xs:string" select="f:normalised(string-join($all))"/>
        <xsl:iterate select="$all">
          <xsl:param name="at" as="xs:integer" select="1"/>
          <xsl:if test="exists(. intersect $wanted)"><xsl:sequence select="map{generate-id(): substring($shown, $at, string-length())}"/></xsl:if>
          <xsl:next-iteration><xsl:with-param name="at" select="$at + string-length()"/></xsl:next-iteration>
        </xsl:iterate>
        <xsl:for-each select="$wanted except $all">
          <xsl:variable name="words" as="text()" select="."/>
          <xsl:variable name="before" as="xs:string" select="string-join($all[. &lt;&lt; $words])"/>
          <xsl:variable name="shown" as="xs:string" select="f:normalised($before || $words || string-join($all[. >> $words]))"/>
          <xsl:sequence select="map{generate-id(): substring($shown, string-length($before) + 1, string-length())}"/>
        </xsl:for-each>
      </xsl:for-each-group>
    </xsl:variable>
    <xsl:sequence select="map:merge($rows)"/>
  </xsl:function>

  <!-- The kind of a name. -->
  <xsl:function name="f:kind" as="xs:string">
    <xsl:param name="name" as="element()"/>
    <xsl:sequence select="string((local-name($name)[. = ('title', 'name')], substring-before(local-name($name), 'Name')) [1]) => replace('^pers$', 'person')"/>
  </xsl:function>

</xsl:stylesheet>
