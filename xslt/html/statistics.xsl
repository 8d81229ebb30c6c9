<?xml version="1.0" encoding="UTF-8"?>
<!-- The statistics of an edition: pictures that were made at build time, and their numbers as tables. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:svg="http://www.w3.org/2000/svg"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:template match=".[. eq 'statistics']" mode="m:side" as="node()+">
    <xsl:param name="text" as="element(p:text)" tunnel="yes" required="yes"/>
    <xsl:variable name="chapters" as="element(p:chapter)*" select="$text/chapter"/>
    <xsl:for-each select="$v:pictures[picture/@n = 'agreement']">
      <section aria-labelledby="agreement-of"><h2 id="agreement-of"><xsl:value-of select="f:word('agreement')"/></h2>
        <xsl:apply-templates select="picture[@n = ('agreement', 'tree')]/*" mode="mp:picture"/>
      </section>
    </xsl:for-each>
    <section aria-labelledby="numbers">
      <h2 id="numbers"><xsl:value-of select="f:word('variants-by-class')"/></h2>
      <xsl:for-each select="$text"><xsl:call-template name="mp:numbers"/></xsl:for-each>
      <p class="how"><xsl:value-of select="f:word('numbers-how')"/></p>
    </section>
    <xsl:for-each select="$chapters[@n = $v:pictures/picture/substring-after(@n, '-')]">
      <section aria-labelledby="of-{@page}">
        <h2 id="of-{@page}"><a href="{@page}.html"><xsl:value-of select="@title"/></a></h2>
        <xsl:apply-templates select="for $kind in ('variants-', 'voices-') return $v:pictures/picture[@n = $kind || current()/@n]/*" mode="mp:picture"/>
      </section>
    </xsl:for-each>
  </xsl:template>

  <!-- A picture in the page; its CSS rules are in the page's style sheet, because the security policy forbids inline ones. -->
  <xsl:mode name="mp:picture" on-no-match="shallow-copy"/>
  <xsl:template match="svg:style" mode="mp:picture"/>
  <xsl:template match="svg:svg" mode="mp:picture" as="element()">
    <figure tabindex="0" role="group" aria-label="{svg:title}">
      <figcaption><xsl:value-of select="svg:title"/></figcaption>
      <xsl:copy copy-namespaces="no"><xsl:apply-templates select="@*, node()" mode="mp:picture"/></xsl:copy>
    </figure>
  </xsl:template>

  <!-- The number of entries of each class in each chapter. Context: the text. -->
  <xsl:template name="mp:numbers" as="element()">
    <xsl:variable name="classes" as="element(p:class)*" select="meta/class[@id = current()//apparatus//entry[not(@stated)]/@class]"/>
    <div class="scroll" tabindex="0" role="group" aria-labelledby="numbers">
      <table class="num">
        <thead><tr><th scope="col"><xsl:value-of select="f:word('chapters')"/></th>
          <xsl:for-each select="$classes"><th scope="col"><xsl:value-of select="f:word('variant-' || @id)"/></th></xsl:for-each>
          <th scope="col"><xsl:value-of select="f:word('entry-count')"/></th><th scope="col"><xsl:value-of select="f:word('characters')"/></th>
          <th scope="col"><xsl:value-of select="f:word('per-thousand')"/></th></tr></thead>
        <tbody>
          <xsl:for-each select="chapter[xs:integer(@entries) gt 0]">
            <xsl:variable name="entries" as="element(p:entry)*" select=".//apparatus//entry[not(@sums or @stated)]"/>
            <tr><th scope="row"><a href="{@page}.html"><xsl:value-of select="@title"/></a></th>
              <xsl:for-each select="$classes"><td><xsl:value-of select="count($entries[@class = current()/@id])[. gt 0]"/></td></xsl:for-each>
              <td><xsl:value-of select="count($entries)"/></td><td><xsl:value-of select="format-number(@characters, '#,##0')"/></td>
              <td><xsl:value-of select="format-number(count($entries) * 1000 div max((1, xs:integer(@characters))), '0.0')"/></td></tr>
          </xsl:for-each>
        </tbody>
      </table>
    </div>
  </xsl:template>
</xsl:stylesheet>
