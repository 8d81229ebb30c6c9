<?xml version="1.0" encoding="UTF-8"?>
<!-- Every parameter from outside: a string, its default, what it does; and its one typed reading as a v: variable. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors" xmlns:p="urn:jiaokan:prepared"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" exclude-result-prefixes="#all">

  <xsl:include href="lib/classes.xsl"/>
  <xsl:include href="lib/words.xsl"/>

  <!-- What the pages of a text need besides its TEI, as one document `facts` of the namespace urn:jiaokan:prepared
       (pipeline/jiaokan/outputs/__init__.py, `facts`); empty: nothing. Its attributes:
         description   one sentence on what the edition is, if the TEI header has none
         version       of the program, for the colophon
         state         first digits of the SHA-256 of the TEI
         url           absolute address where the site will be published
         image-hosts   hosts from which pages may fetch pictures of leaves
         places        pages with entries whose places on pictures are known (places-PAGE.js)
         tei           address of the TEI file, relative to the landing page
         script        of a text that does not stand in cells (characters/scripts.toml); absent: it does
         direction     of such a script: ltr or rtl
         marks         source, if marks of punctuation are shown as they are
         views         ids of the witnesses of which the site has a view of their own (view-PAGE-WITNESS.js)
       Its children:
         pdf[@href, @volume]          the PDFs to offer, each with what it is called
         told/*[@id]/(sentence, comment*)   entries in words (entries/collation_notes.py), to prepare a text with entries
         references/reference[@of]    references of a text that is not cited by its ids (pipeline/jiaokan/model/references.py)
         matter/piece                 the editor's front matter (pipeline/jiaokan/outputs/text/front.py)
         quoted/at[@id]/by            who quotes the text where (pipeline/jiaokan/outputs/web/links.py)
         leaves/leaf[@on, @n, @ed, @image]  pictures of the print's leaves (pipeline/jiaokan/outputs/web/links.py)
         pictures/picture[@n]/svg     pictures of the statistics -->
  <xsl:param name="facts" as="xs:string" select="''"/>
  <xsl:variable name="v:facts" as="element()?" select="$facts[. ne ''] ! parse-xml(.)/*"/>
  <xsl:variable name="v:url" as="xs:string" select="string($v:facts/@url)"/>
  <xsl:variable name="v:version" as="xs:string" select="string($v:facts/@version)"/>
  <xsl:variable name="v:state" as="xs:string" select="string($v:facts/@state)"/>
  <xsl:variable name="v:places" as="xs:string*" select="tokenize($v:facts/@places)"/>
  <xsl:variable name="v:image-hosts" as="xs:string" select="string($v:facts/@image-hosts)"/>
  <xsl:variable name="v:tei" as="xs:string" select="string($v:facts/@tei)"/>
  <xsl:variable name="v:views" as="xs:string*" select="tokenize($v:facts/@views)"/>
  <xsl:variable name="v:told" as="element()?" select="$v:facts/p:told"/>
  <xsl:variable name="v:quoted" as="element()?" select="$v:facts/p:quoted"/>
  <xsl:variable name="v:leaves" as="element()?" select="$v:facts/p:leaves"/>
  <xsl:variable name="v:matter" as="element()?" select="$v:facts/p:matter"/>
  <xsl:variable name="v:pictures" as="element()?" select="$v:facts/p:pictures"/>
  <xsl:variable name="v:references" as="map(xs:string, xs:string)"
      select="map:merge($v:facts/p:references/p:reference ! map{string(@of): string(.)})"/>
  <!-- Whether the principles 凡例 that the header states are printed. -->
  <xsl:variable name="v:principles" as="xs:boolean" select="empty($v:matter) or $v:matter/@principles eq 'beside'"/>

  <!-- Which entries of the apparatus are printed: all; graphic (all but script pairs 繁简); reading (neither script
       pairs nor graphic variants 异体 and taboo forms 避讳); substantive (readings that change the words). -->
  <xsl:param name="level" as="xs:string" select="'graphic'"/>

  <!-- Where the PDF prints its entries: foot (of the page), or section or chapter: as 校勘记 at the end of each. -->
  <xsl:param name="apparatus" as="xs:string" select="'foot'"/>
  <!-- Where the numbers of entries at the foot begin anew: chapter, section or page. -->
  <xsl:param name="numbers" as="xs:string" select="'chapter'"/>
  <!-- Where chapters begin: run (on), page, recto, or auto: short ones run on. -->
  <xsl:param name="opening" as="xs:string" select="'auto'"/>
  <!-- Where a translation is: after its section, or facing its words in a column beside them. -->
  <xsl:param name="translation" as="xs:string" select="'after'"/>
  <!-- What of them stands apart: kind (variants, the editor's notes) or weight (of variants those of writing, too). -->
  <xsl:param name="series" as="xs:string" select="'kind'"/>
  <!-- By what an entry at the foot finds its words: number (in the text) or line (of the page). -->
  <xsl:param name="keys" as="xs:string" select="'number'"/>
  <!-- How an entry is worded: sentence, or bracket (lemma, bracket, readings with sigla) where its sentence says no more. -->
  <xsl:param name="entries" as="xs:string" select="'sentence'"/>
  <!-- Whether each page says which witnesses have its base text: yes or no. -->
  <xsl:param name="present" as="xs:string" select="'no'"/>
  <!-- How notes on base text stand in punctuated columns: paragraph, line, short (in the line if they are), auto. -->
  <xsl:param name="notes" as="xs:string" select="'auto'"/>
  <!-- source, simplified or traditional: the script in which the words are printed. Those of the text come in it. -->
  <xsl:param name="script" as="xs:string" select="'source'"/>
  <!-- What the stylesheets speak: hans and hant (Chinese), or the language of another catalogue. See f:word. -->
  <xsl:param name="interface" as="xs:string" select="'hans'"/>
  <xsl:variable name="v:chinese" as="xs:boolean" select="$interface = ('hans', 'hant')"/>
  <!-- The words of that language by their keys, from its catalogue (pipeline/jiaokan/messages), as JSON. -->
  <xsl:param name="words" as="xs:string" select="'{}'"/>
  <xsl:variable name="v:words" as="map(xs:string, xs:string)" select="parse-json($words)"/>
  <!-- Characters that traditional script writes otherwise, each with its form, for words of the stylesheets: "异異 号號". -->
  <xsl:param name="forms" as="xs:string" select="''"/>

  <!-- What the PDF prints of the text: all, or base (without the commentary). -->
  <xsl:param name="layers" as="xs:string" select="'all'"/>

  <!-- Ids of the speakers whose notes the PDF prints, with spaces between them; empty: all. -->
  <xsl:param name="speakers" as="xs:string" select="''"/>

  <!-- Parts of the book that the PDF leaves out, with spaces between them: title principles witnesses contents speakers
       works glyphs colophon. -->
  <xsl:param name="omit" as="xs:string" select="''"/>

  <!-- Characters that no font of ours has, each with what a page shows for it: "𤣥=玄 𠉀=候". The character itself
       stays in the page. -->
  <xsl:param name="substitutes" as="xs:string" select="''"/>

  <!-- The witness whose own text is set, to be read in the pages of an edition (?w=ID); empty: none. -->
  <xsl:param name="view" as="xs:string" select="''"/>

  <!-- How marks of a source are shown: standard (full width beside Chinese graphs, quotes in pairs) or source (as printed). -->
  <xsl:param name="marks" as="xs:string" select="'standard'"/>

  <!-- Whether the editor's punctuation and names are shown: yes or no. -->
  <xsl:param name="layer" as="xs:string" select="'no'"/>
  <xsl:variable name="v:layer" as="xs:boolean" select="$layer eq 'yes'"/>

  <!-- The least rank of an entry that is printed. -->
  <xsl:variable name="v:rank" as="xs:integer" select="
      if (map:contains($v:levels, $level)) then $v:levels($level)
      else error(xs:QName('e:LEVEL'), 'level is ' || $level || ', not one of ' || string-join(sort(map:keys($v:levels), (), $v:levels), ', '))"/>

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
      select="map:merge(tokenize($substitutes) ! map{substring-before(., '='): substring-after(., '=')})"/>

  <!-- The style of the editor's punctuation in print, by the names of lib/punctuation.xsl. -->
  <xsl:param name="points" as="xs:string" select="'full'"/>

</xsl:stylesheet>
