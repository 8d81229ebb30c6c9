<?xml version="1.0" encoding="UTF-8"?>
<!-- What the editor corrected, deleted and supplied, in words. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Whether there is an editor's note on this emendation: if its evidence can be named. -->
  <xsl:function name="f:explained" as="xs:boolean">
    <xsl:param name="emendation" as="element()"/>
    <xsl:sequence select="$emendation/@evidence ne '' and empty($emendation/(ancestor::p:entry, ancestor::p:other))"/>
  </xsl:function>

  <!-- Its words: 「日」今作「曰」，据集编。 Quotations stay as in the text (@quoted, @quoted-sic) if the text was converted to another
       script. -->
  <xsl:function name="f:remark" as="xs:string">
    <xsl:param name="emendation" as="element()"/>
    <xsl:sequence select="f:change($emendation) || f:word('book-after-evidence', map{'evidence': f:basis($emendation)})
        || (if ($emendation/@cert = 'low') then f:word('book-comma') || f:word('cert-low') else '') || f:word('book-stop')"/>
  </xsl:function>

  <!-- The change of an emendation: 「日」今作「曰」. -->
  <xsl:function name="f:change" as="xs:string">
    <xsl:param name="emendation" as="element()"/>
    <xsl:variable name="words" as="xs:string"
        select="f:shorten(($emendation/@quoted, string-join($emendation//text() except $emendation//p:other//text()))[1])"/>
    <xsl:variable name="sic" as="xs:string" select="string(($emendation/@quoted-sic, $emendation/@sic)[1])"/>
    <xsl:sequence select="if ($sic and $words) then f:word('book-corrected-to', map{'wrong': $sic, 'right': $words})
        else if ($sic) then f:word('book-deleted', map{'words': $sic}) else f:word('book-added', map{'words': $words})"/>
  </xsl:function>

  <!-- Its evidence: a witness by its siglum, a passage of one by siglum and reference, else the editor's own words. -->
  <xsl:function name="f:basis" as="xs:string">
    <xsl:param name="emendation" as="element()"/>
    <xsl:variable name="evidence" as="xs:string" select="string($emendation/@evidence)"/>
    <xsl:variable name="id" as="xs:string" select="replace($evidence, '^(w:|#)?([a-z][a-z0-9-]*)(\..*)?$', '$2')"/>
    <xsl:variable name="witness" as="element(p:witness)?" select="root($emendation)/p:text/p:meta/p:witness[@id = $id]"/>
    <xsl:sequence select="
        if ($witness) then $witness/@siglum || translate(substring-after($evidence, $id), '.', ' ') => replace('^ ', '') => translate(' ', '.')
        else if ($v:chinese) then fp:titled($evidence) else $evidence"/>
  </xsl:function>

  <!-- Words in which a title with the names of its parts, which a dot separates, has its marks: 周礼·地官·州长 → 《周礼·地官·州长》
       (GB/T 15834, 4.15.3.1; the dot stands between a book and its chapter only within them). -->
  <xsl:function name="fp:titled" as="xs:string">
    <xsl:param name="words" as="xs:string"/>
    <xsl:sequence select="replace($words, '(^|[；，。：、])(\p{Lo}+(·\p{Lo}+?)+)([注疏]?)([「；，。：、（]|$)', '$1《$2》$4$5')"/>
  </xsl:function>

</xsl:stylesheet>
