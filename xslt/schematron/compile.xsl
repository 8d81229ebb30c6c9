<?xml version="1.0" encoding="UTF-8"?>
<!-- ISO Schematron to XSLT 3.0: the stylesheet that it gives lists what fails, as finding elements with rule, role and
     the path of the node. Known: ns, let, pattern (abstract too), rule (abstract too), extends, assert, report,
     diagnostics, value-of, name, and XSLT's own keys and functions. Every phase is active. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:sch="http://purl.oclc.org/dsdl/schematron" xmlns:out="urn:jiaokan:out" xmlns:xs="http://www.w3.org/2001/XMLSchema"
  exclude-result-prefixes="#all">
  <xsl:namespace-alias stylesheet-prefix="out" result-prefix="xsl"/>
  <xsl:output indent="no"/>

  <xsl:template match="/sch:schema">
    <out:stylesheet version="3.0">
      <xsl:for-each select="sch:ns"><xsl:namespace name="{@prefix}" select="string(@uri)"/></xsl:for-each>
      <!-- The reference implementation declares both, so many schemas use them undeclared. -->
      <xsl:for-each select="('xs', 'xsd')[not(. = current()/sch:ns/@prefix)]">
        <xsl:namespace name="{.}" select="'http://www.w3.org/2001/XMLSchema'"/>
      </xsl:for-each>
      <out:output method="xml" omit-xml-declaration="yes"/>
      <xsl:copy-of select="xsl:*"/>
      <xsl:apply-templates select="sch:let"/>
      <xsl:variable name="patterns" select="sch:pattern[not(@abstract = 'true')][sch:rules(.)]"/>
      <out:template match="/">
        <findings>
          <xsl:for-each select="$patterns">
            <!-- By XSLT 5.5.3 a node matches a pattern if it is among root()//(pattern): so not all nodes are tried. -->
            <xsl:variable name="parameters" select="sch:param"/>
            <out:apply-templates mode="p{position()}" select="{
              string-join(sch:rules(.)/('//(' || sch:filled(@context, $parameters) || ')'), ' | ')}"/>
          </xsl:for-each>
        </findings>
      </out:template>
      <xsl:for-each select="$patterns">
        <out:mode name="p{position()}" on-no-match="deep-skip" on-multiple-match="use-last"/>
        <xsl:apply-templates select="." mode="pattern"><xsl:with-param name="mode" select="'p' || position()"/></xsl:apply-templates>
      </xsl:for-each>
    </out:stylesheet>
  </xsl:template>

  <!-- A pattern; one that is-a an abstract one takes its rules with the parameters put in. -->
  <xsl:template match="sch:pattern" mode="pattern">
    <xsl:param name="mode" as="xs:string"/>
    <xsl:variable name="of" select="(if (@is-a) then ../sch:pattern[@id = current()/@is-a] else .)"/>
    <xsl:variable name="rules" select="sch:rules(.)"/>
    <xsl:variable name="lets" select="sch:let | $of/sch:let"/>
    <xsl:variable name="parameters" select="sch:param"/>
    <xsl:variable name="id" select="(@id, $of/@id)[1]"/>
    <xsl:for-each select="$rules">
      <out:template match="{sch:filled(@context, $parameters)}" mode="{$mode}" priority="{1 + count($rules) - position()}">
        <xsl:for-each select="$lets">
          <out:variable name="{@name}" as="item()*">
            <out:for-each select="root()"><out:sequence select="{sch:filled(@value, $parameters)}"/></out:for-each>
          </out:variable>
        </xsl:for-each>
        <xsl:apply-templates select="*">
          <xsl:with-param name="parameters" select="$parameters" tunnel="yes"/>
          <xsl:with-param name="pattern" select="string($id)" tunnel="yes"/>
        </xsl:apply-templates>
      </out:template>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="sch:let">
    <xsl:param name="parameters" tunnel="yes" select="()"/>
    <out:variable name="{@name}">
      <xsl:if test="@value"><xsl:attribute name="select" select="sch:filled(@value, $parameters)"/></xsl:if>
      <xsl:copy-of select="node()"/>
    </out:variable>
  </xsl:template>

  <xsl:template match="sch:extends[@rule]"><xsl:apply-templates select="//sch:rule[@id = current()/@rule]/*"/></xsl:template>

  <xsl:template match="sch:assert | sch:report">
    <xsl:param name="parameters" tunnel="yes" select="()"/>
    <xsl:param name="pattern" tunnel="yes" select="''"/>
    <xsl:variable name="test" select="sch:filled(@test, $parameters)"/>
    <out:if test="{if (self::sch:assert) then 'not(' || $test || ')' else $test}">
      <finding rule="{(@id, ../@id, $pattern[. ne ''], 'schematron')[1]}" role="{(@role, ../@role, @flag)[1]}"
               path="{{(ancestor-or-self::*)[last()]/path()}}">
        <xsl:apply-templates select="node()" mode="words"/>
        <xsl:variable name="wanted" select="tokenize(@diagnostics)"/>
        <diagnostic><xsl:apply-templates select="//sch:diagnostic[@id = $wanted]/node()" mode="words"/></diagnostic>
      </finding>
    </out:if>
  </xsl:template>

  <xsl:template match="sch:value-of" mode="words">
    <xsl:param name="parameters" tunnel="yes" select="()"/>
    <out:value-of select="{sch:filled(@select, $parameters)}"/>
  </xsl:template>
  <xsl:template match="sch:name" mode="words"><out:value-of select="{(@path, 'name()')[1]}"/></xsl:template>
  <xsl:template match="text()" mode="words"><out:text><xsl:value-of select="."/></out:text></xsl:template>
  <xsl:template match="text() | sch:title | sch:p | sch:phase | sch:diagnostics | sch:properties"/>

  <!-- The rules of a pattern, or of the abstract one that it is. -->
  <xsl:function name="sch:rules" as="element(sch:rule)*">
    <xsl:param name="pattern" as="element(sch:pattern)"/>
    <xsl:sequence select="(if ($pattern/@is-a) then $pattern/../sch:pattern[@id = $pattern/@is-a] else $pattern)
      /sch:rule[not(@abstract = 'true')]"/>
  </xsl:function>

  <!-- An expression with $name replaced by the parameter of this name. -->
  <xsl:function name="sch:filled" as="xs:string">
    <xsl:param name="expression" as="xs:string"/>
    <xsl:param name="parameters" as="element(sch:param)*"/>
    <xsl:sequence select="fold-left($parameters, $expression, function($words, $each) {
      replace($words, '\$' || $each/@name || '($|[^\w.\-])', replace($each/@value, '([\\$])', '\\$1') || '$1')})"/>
  </xsl:function>
</xsl:stylesheet>
