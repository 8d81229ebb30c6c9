<?xml version="1.0" encoding="UTF-8"?>
<!-- TEI header → p:meta: for title pages, lists of witnesses and colophons. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:tei="http://www.tei-c.org/ns/1.0" xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:mp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xmlns="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- The data about the whole edition. -->
  <xsl:template name="m:meta" as="element(p:meta)">
    <xsl:param name="header" as="element(tei:teiHeader)" required="yes"/>
    <xsl:choose>
      <xsl:when test="f:ours($header)"><xsl:call-template name="mp:ours"><xsl:with-param name="header" select="$header"/></xsl:call-template></xsl:when>
      <xsl:otherwise><xsl:call-template name="mp:theirs"><xsl:with-param name="header" select="$header"/></xsl:call-template></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The name of an author or editor: of one that is given in several languages, in that of the text, else the first. Identifiers
       are in the header's own statements. -->
  <xsl:function name="fp:name" as="xs:string">
    <xsl:param name="person" as="element()"/>
    <xsl:variable name="names" as="element()*" select="$person/(tei:persName, tei:name, tei:orgName)[normalize-space()]"/>
    <xsl:variable name="language" as="xs:string" select="string(root($person)/*/@xml:lang)"/>
    <xsl:variable name="languages" as="xs:string*" select="distinct-values($names/string(@xml:lang))"/>
    <xsl:variable name="chosen" as="element()?" select="($names[@xml:lang = $language], $names[not(@xml:lang)], $names)[1]"/>
    <xsl:variable name="words" as="element()"><tei:name><xsl:copy-of select="$person/(node() except tei:idno)"/></tei:name></xsl:variable>
    <xsl:sequence select="f:stated-text(if (count($languages) gt 1 and not($person/text()[normalize-space()])) then $chosen
        else if ($person/tei:idno) then $words else $person)"/>
  </xsl:function>

  <!-- The header of somebody else's file: what it states, and what the text needs. -->
  <xsl:template name="mp:theirs" as="element(p:meta)">
    <xsl:param name="header" as="element(tei:teiHeader)" required="yes"/>
    <xsl:variable name="named" as="element()*" select="$header/tei:fileDesc/tei:titleStmt/*"/>
    <xsl:variable name="published" as="element()?" select="$header/tei:fileDesc/tei:publicationStmt"/>
    <meta>
      <xsl:variable name="titles" as="element()*" select="$named/self::tei:title"/>
      <title><xsl:value-of select="f:stated-text(($titles[@resp = '#jiaokan'], $titles[@type = 'main'], $titles[not(@type = 'sub')], $titles)[1])"/></title>
      <xsl:for-each select="$titles[@type = 'sub'][1]"><subtitle><xsl:value-of select="f:stated-text(.)"/></subtitle></xsl:for-each>
      <xsl:for-each select="$v:facts/@description[normalize-space()]"><description><xsl:value-of select="normalize-space(.)"/></description></xsl:for-each>
      <xsl:for-each select="distinct-values($named/self::tei:author ! fp:name(.))[. ne '']"><author><xsl:value-of select="."/></author></xsl:for-each>
      <xsl:for-each select="distinct-values(($named/self::tei:editor, $named/self::tei:respStmt[matches(string-join(tei:resp), 'edit|édit|校|编|編', 'i')][empty($named/self::tei:editor)]
          /(tei:name, tei:persName, tei:orgName)) ! fp:name(.))[. ne '']"><editor><xsl:value-of select="."/></editor></xsl:for-each>
      <publisher><xsl:value-of select="$published/tei:publisher ! f:stated-text(.)" separator=", "/></publisher>
      <date><xsl:value-of select="$published/descendant::tei:date[1] ! (@when, @when-iso, f:stated-text(.))[1]"/></date>
      <xsl:variable name="licence" as="element()?" select="$published/tei:availability/(tei:licence, tei:p)[1]"/>
      <licence target="{$licence/(@target, descendant::*/@target)[fp:of-the-web(.)][1]}"><xsl:value-of select="f:stated-text($licence)"/></licence>
      <xsl:call-template name="mp:published"><xsl:with-param name="header" select="$header"/></xsl:call-template>
      <resp id="jiaokan" what=""><xsl:value-of select="f:stated-text($named/self::tei:respStmt[@xml:id = 'jiaokan']/tei:name)"/></resp>
      <xsl:variable name="attested" as="xs:string*" select="distinct-values($header/../tei:text//tei:seg/f:ids(@source))"/>
      <xsl:for-each select="$header[f:encoding(.)/tei:variantEncoding]//tei:witness[@xml:id][f:siglum(.) ne '']">
        <witness id="{@xml:id}" siglum="{f:siglum(.)}" title="{f:stated-text(.)}" dynasty="">
          <xsl:if test="not(@xml:id = $attested)"><xsl:attribute name="reported" select="'yes'"/></xsl:if>
          <!-- Of a text that names no witness the program calls what is printed so (editions/other.py). -->
          <xsl:if test="parent::tei:listWit/@resp = '#jiaokan' and @xml:id = 'base' and @n = 'text'"><xsl:attribute name="printed" select="'yes'"/></xsl:if>
          <xsl:for-each select="ancestor::tei:listWit[@xml:id][ancestor::tei:listWit][1]">
            <xsl:attribute name="group" select="(tei:head[1] ! f:stated-text(.)[string-length() le 4], @n, @xml:id)[1]"/>
            <xsl:for-each select="tei:head"><xsl:attribute name="group-title" select="f:stated-text(.)"/></xsl:for-each>
          </xsl:for-each>
        </witness>
      </xsl:for-each>
      <xsl:for-each select="$header//(tei:person | tei:author | tei:editor | tei:respStmt | tei:name | tei:persName | tei:principal | tei:handNote)[@xml:id][not(@xml:id = 'jiaokan')]">
        <xsl:variable name="name" as="xs:string" select="f:stated-text((descendant::tei:persName, descendant::tei:name, .)[1])"/>
        <speaker id="{@xml:id}" label="{(self::tei:person/@n, $name)[1]}" name="{$name}" dynasty="{self::tei:person/tei:floruit[1]}"/>
      </xsl:for-each>
      <xsl:for-each select="$header//(tei:org | tei:place)[@xml:id], $header//tei:listBibl/tei:bibl[@xml:id][tei:title]">
        <listed id="{@xml:id}" name="{normalize-space((tei:orgName, tei:placeName, tei:title)[1])}"/>
      </xsl:for-each>
      <xsl:apply-templates select="f:encoding($header)//tei:category[starts-with(@xml:id, 'var-')]" mode="m:meta"/>
      <xsl:apply-templates select="f:encoding($header)/tei:charDecl/tei:char" mode="m:meta"/>
      <program version="{f:application($header)/@version}"/>
      <xsl:for-each select="$header"><xsl:call-template name="m:stated"/></xsl:for-each>
    </meta>
  </xsl:template>

  <xsl:template name="mp:ours" as="element(p:meta)">
    <xsl:param name="header" as="element(tei:teiHeader)" required="yes"/>
    <xsl:variable name="file" as="element(tei:fileDesc)" select="$header/tei:fileDesc"/>
    <meta>
      <title><xsl:value-of select="f:edited($file/tei:titleStmt/tei:title[not(@type = 'sub')][1])"/></title>
      <xsl:for-each select="$file/tei:titleStmt/tei:title[@type = 'sub'][1]">
        <subtitle><xsl:value-of select="f:edited(.)"/></subtitle>
      </xsl:for-each>
      <xsl:variable name="about" as="xs:string"
          select="f:edited($header/tei:encodingDesc/tei:projectDesc ! (tei:p[not(lang('en'))], tei:p)[1])"/>
      <xsl:for-each select="($v:facts/@description/string(), $about)[normalize-space()][1]">
        <description><xsl:value-of select="normalize-space(.)"/></description>
      </xsl:for-each>
      <xsl:for-each select="$file/tei:titleStmt/tei:author"><author><xsl:value-of select="."/></author></xsl:for-each>
      <xsl:for-each select="$file/tei:titleStmt/tei:editor"><editor><xsl:value-of select="."/></editor></xsl:for-each>
      <publisher><xsl:value-of select="$file/tei:publicationStmt/tei:publisher"/></publisher>
      <date><xsl:value-of select="$file/tei:publicationStmt/tei:date/(@when, .)[1]"/></date>
      <xsl:variable name="licence" as="element()?" select="$file/tei:publicationStmt/tei:availability/(tei:licence, tei:p)[1]"/>
      <licence target="{$licence/@target[fp:of-the-web(.)]}"><xsl:value-of select="normalize-space($licence)"/></licence>
      <xsl:call-template name="mp:published"><xsl:with-param name="header" select="$header"/></xsl:call-template>
      <xsl:for-each select="$file/tei:titleStmt/tei:respStmt">
        <resp id="{@xml:id}" what="{tei:resp[1]}"><xsl:value-of select="(tei:name, tei:persName, tei:orgName)[1]"/></resp>
      </xsl:for-each>
      <xsl:apply-templates select="$header/tei:encodingDesc/tei:editorialDecl" mode="m:meta"/>
      <!-- If nothing was collated, reported witnesses are not witnesses of this text. -->
      <xsl:apply-templates select="$file/tei:sourceDesc/tei:listWit[tei:witness]//tei:witness" mode="m:meta"/>
      <xsl:apply-templates select="$file/tei:sourceDesc/tei:bibl" mode="m:meta"/>
      <xsl:apply-templates select="$header/tei:profileDesc/tei:particDesc//tei:person[@n]" mode="m:meta"/>
      <xsl:for-each select="$header/tei:profileDesc//(tei:person[not(@n)] | tei:org | tei:place)[@xml:id], $header//tei:listBibl/tei:bibl[@xml:id][tei:title]">
        <listed id="{@xml:id}" name="{normalize-space((tei:persName, tei:orgName, tei:placeName, tei:title)[1])}"/>
      </xsl:for-each>
      <xsl:apply-templates select="$header//tei:category[starts-with(@xml:id, 'var-')]" mode="m:meta"/>
      <xsl:apply-templates select="$header/tei:encodingDesc/tei:charDecl/tei:char" mode="m:meta"/>
      <program version="{$header/tei:encodingDesc/tei:appInfo/tei:application[1]/@version}"/>
    </meta>
  </xsl:template>

  <!-- Whether an address leads to the web: readers of PDF and EPUB follow others, as a script, too. -->
  <xsl:function name="fp:of-the-web" as="xs:boolean">
    <xsl:param name="address" as="xs:string"/>
    <xsl:sequence select="matches($address, '^\s*(https?://|mailto:)', 'i')"/>
  </xsl:function>

  <!-- Place and identifiers of the publication, funders, changes by people. -->
  <xsl:template name="mp:published" as="element()*">
    <xsl:param name="header" as="element(tei:teiHeader)" required="yes"/>
    <xsl:variable name="said" as="element()?" select="$header/tei:fileDesc/tei:publicationStmt"/>
    <xsl:for-each select="$said/tei:authority[normalize-space()]"><authority><xsl:value-of select="normalize-space(.)"/></authority></xsl:for-each>
    <xsl:for-each select="$said/tei:pubPlace[normalize-space()]"><place><xsl:value-of select="normalize-space(.)"/></place></xsl:for-each>
    <xsl:for-each select="$header/tei:fileDesc/tei:titleStmt/tei:funder"><funder href="{@ref}"><xsl:value-of select="normalize-space(.)"/></funder></xsl:for-each>
    <xsl:for-each select="$said/tei:idno[@type ne 'URL'][normalize-space()]">
      <number type="{@type}" href="{if (@type eq 'DOI') then 'https://doi.org/' || replace(normalize-space(.), '^(https?://(dx\.)?doi\.org/|doi:)', '') else ''}"><xsl:value-of select="normalize-space(.)"/></number>
    </xsl:for-each>
    <!-- What others changed is among what their header states. -->
    <xsl:for-each select="$header[f:ours(.)]/tei:revisionDesc/tei:change[@when][not(@who = '#jiaokan')]">
      <xsl:variable name="who" as="xs:string" select="substring-after(@who, '#')"/>
      <change when="{@when}" who="{($header//*[@xml:id = $who]/(tei:persName, tei:name))[1]}"><xsl:value-of select="normalize-space(.)"/></change>
    </xsl:for-each>
  </xsl:template>

  <xsl:mode name="m:meta" on-no-match="fail" on-multiple-match="fail"/>

  <xsl:template match="tei:editorialDecl/*" mode="m:meta" as="element(p:principle)">
    <principle kind="{local-name()}"><xsl:value-of select="normalize-space(string-join(f:chinese(.)[not(@n)]))"/></principle>
  </xsl:template>

  <!-- Statements of other kinds, after the principles: bases of the chapters, works consulted, figures. -->
  <xsl:template match="tei:editorialDecl" mode="m:meta" as="element(p:principle)*">
    <xsl:apply-templates select="*" mode="#current"/>
    <xsl:for-each-group select="* ! f:chinese(.)[@n]" group-by="@n">
      <principle kind="{current-grouping-key()}"><xsl:value-of select="current-group() ! normalize-space()" separator=""/></principle>
    </xsl:for-each-group>
  </xsl:template>

  <xsl:template match="tei:witness" mode="m:meta" as="element(p:witness)">
    <xsl:variable name="bibl" as="element()?" select="tei:bibl[1]"/>
    <witness id="{@xml:id}" siglum="{f:siglum(.)}" title="{($bibl/tei:title[1], .)[1] ! normalize-space(.)}"
        dynasty="{$bibl/tei:date[1]}">
      <!-- A nested list has the witnesses known only from remarks of a commentary. -->
      <xsl:if test="count(ancestor::tei:listWit) gt 1"><xsl:attribute name="reported" select="'yes'"/></xsl:if>
      <xsl:call-template name="m:bibl"><xsl:with-param name="bibl" select="$bibl"/><xsl:with-param name="kept" select="tei:msDesc/tei:msIdentifier"/></xsl:call-template>
    </witness>
  </xsl:template>

  <xsl:template match="tei:sourceDesc/tei:bibl" mode="m:meta" as="element(p:source)">
    <source title="{normalize-space(tei:title[1])}" dynasty="{tei:date[1]}">
      <xsl:call-template name="m:bibl"><xsl:with-param name="bibl" select="."/><xsl:with-param name="kept" select="following-sibling::tei:msDesc[1]/tei:msIdentifier"/></xsl:call-template>
    </source>
  </xsl:template>

  <xsl:template name="m:bibl" as="element()*">
    <xsl:param name="bibl" as="element()?" required="yes"/>
    <xsl:param name="kept" as="element(tei:msIdentifier)*" required="yes"/>
    <xsl:for-each select="$bibl/tei:author"><author><xsl:value-of select="normalize-space(.)"/></author></xsl:for-each>
    <xsl:for-each select="$bibl/tei:edition[normalize-space()]"><edition><xsl:value-of select="normalize-space(.)"/></edition></xsl:for-each>
    <xsl:for-each select="$kept"><holder><xsl:value-of select="(tei:country, tei:settlement, tei:repository, tei:idno) ! normalize-space(.)"/></holder></xsl:for-each>
    <xsl:for-each select="$bibl/tei:ptr/@target"><link><xsl:value-of select="."/></link></xsl:for-each>
    <xsl:for-each select="$bibl/tei:idno[@type = 'file']"><file><xsl:value-of select="."/></file></xsl:for-each>
    <xsl:for-each select="$bibl/tei:idno[@type = 'sha256']"><sha256><xsl:value-of select="."/></sha256></xsl:for-each>
    <xsl:for-each select="$bibl/tei:note"><about><xsl:value-of select="normalize-space(.)"/></about></xsl:for-each>
  </xsl:template>

  <xsl:template match="tei:person" mode="m:meta" as="element(p:speaker)">
    <speaker id="{@xml:id}" label="{f:label(.)}" name="{tei:persName[1]}" dynasty="{tei:floruit[1]}"/>
  </xsl:template>

  <!-- An editor's own class without readings is declared, but not used further. -->
  <xsl:template match="tei:category" mode="m:meta" as="element(p:class)">
    <xsl:variable name="class" as="xs:string" select="substring-after(@xml:id, 'var-')"/>
    <class id="{$class}" name="{normalize-space((tei:catDesc[not(lang('en'))], tei:catDesc)[1])}" rank="{($v:ranks($class), 0)[1]}"/>
  </xsl:template>

  <xsl:template match="tei:char" mode="m:meta" as="element(p:glyph)">
    <glyph id="{@xml:id}" code="{tei:mapping[@type = ('PUA', 'source')]}" standard="{tei:mapping[@type = 'standard']}"
        description="{normalize-space(string-join(tei:note, ' '))}" cert="{tei:note[1]/@cert}"/>
  </xsl:template>

  <!-- The Chinese paragraphs of a statement in several languages; an edition prints these. -->
  <xsl:function name="f:chinese" as="element()+">
    <xsl:param name="statement" as="element()"/>
    <xsl:variable name="chinese" as="element()*" select="$statement/tei:p[matches(@xml:lang, '^l?zh(-|$)')]"/>
    <xsl:sequence select="if ($chinese) then $chinese else $statement"/>
  </xsl:function>

  <!-- The label of a speaker: the short form of the list of persons, else the name. -->
  <xsl:function name="f:label" as="xs:string">
    <xsl:param name="person" as="element(tei:person)"/>
    <xsl:sequence select="string(($person/@n, $person/tei:persName)[1])"/>
  </xsl:function>
</xsl:stylesheet>
