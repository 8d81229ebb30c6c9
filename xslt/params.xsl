<?xml version="1.0" encoding="UTF-8"?>
<!-- Every parameter from outside: a string, its default, what it does; and its one typed reading as a v: variable. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors" exclude-result-prefixes="#all">

  <xsl:include href="lib/classes.xsl"/>
  <xsl:include href="lib/said.xsl"/>

  <!-- Description: one sentence on what the edition is, if the TEI header does not say it. -->
  <xsl:param name="description" as="xs:string" select="''"/>

  <!-- Which entries of the apparatus are printed: all; graphic (all but script pairs 繁简); reading (neither script
       pairs nor graphic variants 异体 and taboo forms 避讳); substantive (readings that change the words). -->
  <xsl:param name="level" as="xs:string" select="'graphic'"/>

  <!-- Where the PDF prints its entries: foot (of the page), or section or chapter: as 校勘记 at the end of each. -->
  <xsl:param name="apparatus" as="xs:string" select="'foot'"/>
  <!-- Where the numbers of entries at the foot begin anew: chapter, section or page. -->
  <xsl:param name="numbers" as="xs:string" select="'chapter'"/>
  <!-- What of them stands apart: kind (variants, the editor's notes) or weight (of variants those of writing, too). -->
  <xsl:param name="series" as="xs:string" select="'kind'"/>
  <!-- How notes on base text stand in punctuated columns: paragraph, line, short (in the line if they are), auto. -->
  <xsl:param name="notes" as="xs:string" select="'auto'"/>
  <!-- source, simplified or traditional: the script in which the words are printed. Those of the text come in it. -->
  <xsl:param name="script" as="xs:string" select="'source'"/>
  <!-- What the stylesheets speak: hans and hant (Chinese), or en. See f:said. -->
  <xsl:param name="interface" as="xs:string" select="'hans'"/>
  <!-- Characters that traditional script writes otherwise, each with its form, for words of the stylesheets: "异異 号號". -->
  <xsl:param name="forms" as="xs:string" select="''"/>

  <!-- The same table, whatever the stylesheets speak: for the dictionary of the pages. -->
  <xsl:param name="traditional" as="xs:string" select="''"/>

  <!-- What the PDF prints of the text: all, or base (without the commentary). -->
  <xsl:param name="layers" as="xs:string" select="'all'"/>

  <!-- Ids of the speakers whose notes the PDF prints, with spaces between them; empty: all. -->
  <xsl:param name="speakers" as="xs:string" select="''"/>

  <!-- Parts of the book that the PDF leaves out, with spaces between them: title principles witnesses contents speakers
       works glyphs colophon. -->
  <xsl:param name="omit" as="xs:string" select="''"/>

  <!-- PDFs to offer for download, a line each: the address, relative to the edition's landing page, a space, what it is
       called; empty: none is offered. -->
  <xsl:param name="pdf" as="xs:string" select="''"/>

  <!-- Further words of the interface, a line each: Chinese=English. -->
  <xsl:param name="english" as="xs:string" select="''"/>

  <!-- Address of the TEI file to offer for download, relative to the edition's landing page; empty: none. -->
  <xsl:param name="tei" as="xs:string" select="''"/>

  <!-- Folder of the TEI files of witnesses, relative to the chapters' own. -->
  <xsl:param name="files" as="xs:string" select="''"/>

  <!-- Ids of the witnesses whose TEI lies there, with spaces between them. -->
  <xsl:param name="beside" as="xs:string" select="''"/>

  <!-- Ids of those to whose TEI the text points and which are not there. -->
  <xsl:param name="lacking" as="xs:string" select="''"/>

  <!-- Ids of the witnesses of which the site has a view of their own (view-PAGE-WITNESS.js), with spaces between them. -->
  <xsl:param name="views" as="xs:string" select="''"/>

  <!-- Where the site will be published, as an absolute address; empty: nobody has said. -->
  <xsl:param name="url" as="xs:string" select="''"/>

  <!-- What tells this state of the TEI from every other: the first digits of its SHA-256. -->
  <xsl:param name="state" as="xs:string" select="''"/>

  <!-- Version of the program, for the colophon. -->
  <xsl:param name="version" as="xs:string" select="''"/>

  <!-- Characters that no font of ours has, each with what a page shows for it: "𤣥=玄 𠉀=候". The character itself
       stays in the page. -->
  <xsl:param name="substitutes" as="xs:string" select="''"/>

  <!-- What each entry says, as told/entry[@id]/(sentence, comment*) of the namespace urn:jiaokan:prepared: see pipeline/entries/told.py.
       A text with entries needs it; empty: there are none. -->
  <xsl:param name="told" as="xs:string" select="''"/>

  <xsl:variable name="v:told" as="document-node()?" select="$told[. ne ''] ! parse-xml(.)"/>

  <!-- Who quotes the text where, as quoted/at[@id]/by (pipeline/outputs/web/quoted.py); empty: nobody. -->
  <xsl:param name="quoted" as="xs:string" select="''"/>
  <xsl:variable name="v:quoted" as="document-node()?" select="$quoted[. ne ''] ! parse-xml(.)"/>

  <!-- The witness whose own text is set, to be read in the pages of an edition (?w=ID); empty: none. -->
  <xsl:param name="view" as="xs:string" select="''"/>

  <!-- Pictures of the print's leaves, as leaves/leaf[@on, @n, @ed, @image] (pipeline/outputs/web/leaves.py); empty: none. -->
  <xsl:param name="leaves" as="xs:string" select="''"/>
  <xsl:variable name="v:leaves" as="document-node()?" select="$leaves[. ne ''] ! parse-xml(.)"/>
  <!-- Hosts from which pages may fetch them, with spaces between them; empty: none, pages only lead there. -->
  <xsl:param name="image-hosts" as="xs:string" select="''"/>

  <!-- What the editor wrote to stand before the text: matter[@by @title @principles]/piece[@kind @sign] (heading,
       paragraph, item, quotation) of the namespace urn:jiaokan:prepared, with em, strong, link, br; empty: nothing. -->
  <xsl:param name="front" as="xs:string" select="''"/>
  <xsl:variable name="v:matter" as="element()?" select="$front[. ne ''] ! parse-xml(.)/*"/>
  <!-- Whether the principles 凡例 that the header states are printed. -->
  <xsl:variable name="v:principles" as="xs:boolean" select="empty($v:matter) or $v:matter/@principles eq 'beside'"/>

  <!-- References of a text that is not cited by its ids, a line each: the id, a space, the reference without the text's
       name ("lunyu.1.4.2 1.4"); empty: the ids say it. See pipeline/model/references.py. -->
  <xsl:param name="references" as="xs:string" select="''"/>
  <xsl:variable name="v:references" as="map(xs:string, xs:string)"
      select="map:merge(tokenize($references, '\n')[.] ! map{substring-before(., ' '): substring-after(., ' ')})"
      xmlns:map="http://www.w3.org/2005/xpath-functions/map"/>

  <!-- How marks of a source are shown: standard (full width beside Chinese graphs, quotes in pairs) or source (as printed). -->
  <xsl:param name="marks" as="xs:string" select="'standard'"/>

  <!-- Whether the editor's punctuation and names are shown: yes or no. -->
  <xsl:param name="layer" as="xs:string" select="'no'"/>
  <xsl:variable name="v:layer" as="xs:boolean" select="$layer eq 'yes'"/>

  <!-- Pictures of the statistics, as pictures/picture[@n]/svg of the namespace urn:jiaokan:prepared; empty: no page of statistics. -->
  <xsl:param name="pictures" as="xs:string" select="''"/>

  <xsl:variable name="v:pictures" as="element()?" select="$pictures[. ne ''] ! parse-xml(.)/*"/>

  <!-- The least rank of an entry that is printed. -->
  <xsl:variable name="v:rank" as="xs:integer" select="
      if (map:contains($v:levels, $level)) then $v:levels($level)
      else error(xs:QName('e:LEVEL'), 'level is ' || $level || ', not one of ' || string-join(sort(map:keys($v:levels), (), $v:levels), ', '))"
      xmlns:map="http://www.w3.org/2005/xpath-functions/map"/>

  <xsl:variable name="v:apparatus" as="xs:string" select="
      if ($apparatus = ('foot', 'section', 'chapter')) then $apparatus
      else error(xs:QName('e:PLACE'), 'apparatus is ' || $apparatus || ', not one of foot, section, chapter')"/>

  <!-- The part of the book through which entries are numbered: chapter, section or page. -->
  <xsl:variable name="v:through" as="xs:string" select="if ($v:apparatus eq 'foot') then $numbers else $v:apparatus"/>

  <xsl:variable name="v:layers" as="xs:string" select="
      if ($layers = ('all', 'base')) then $layers
      else error(xs:QName('e:LAYERS'), 'layers is ' || $layers || ', not one of all, base')"/>
  <xsl:variable name="v:speakers" as="xs:string*" select="tokenize($speakers)"/>
  <xsl:variable name="v:omitted" as="xs:string*" select="tokenize($omit)"/>

  <xsl:variable name="v:substitutes" as="map(xs:string, xs:string)"
      select="map:merge(tokenize($substitutes) ! map{substring-before(., '='): substring-after(., '=')})"
      xmlns:map="http://www.w3.org/2005/xpath-functions/map"/>

  <!-- The style of the editor's punctuation in print, by the names of lib/punctuation.xsl. -->
  <xsl:param name="points" as="xs:string" select="'full'"/>

</xsl:stylesheet>
