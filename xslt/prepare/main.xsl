<?xml version="1.0" encoding="UTF-8"?>
<!--
THE PREPARED FORM. f:prepare converts a TEI edition or witness to the form below, which all renderers print without
adding anything: pointers, sigla, labels, references, numbers and sentences are resolved here.
Namespace p: = urn:jiaokan:prepared. `id` is the TEI xml:id, `ref` the canonical reference (yili:6.3.2).

p:text     id, kind (critical | reading), cites (what its references count: chapter section unit), xml:lang, script and direction (of a text whose script does not stand in cells; characters/scripts.toml). Children: p:meta, p:chapter+, p:translation*.
p:translation  xml:lang, name (今译, English), resp, basis (when: on what evidence). Children: p:of[@id @ref], the translation of a unit, or a paragraph of it; through (ids of further units that it translates)
p:meta     p:title, p:subtitle?, p:description?, p:author*, p:editor*, p:publisher, p:date, p:licence[@target], p:authority?, p:place?, p:funder[@href]*, p:number[@type @href]*, p:change[@when @who]* (what people changed),
           p:resp[@id @what]*, p:principle[@kind]*, p:witness*, p:speaker*, p:listed*, p:class*, p:glyph*, p:source*, p:program[@version]
  p:witness  id, siglum, title, dynasty, reported (yes: known only by report), printed (yes: what is printed of a text that names no witness); p:author*, p:edition?, p:holder?, p:link*, p:file?, p:sha256?, p:about*
  p:listed   id, name of a person, place or work that the text names
  p:speaker  id, label (郑注), name, dynasty        p:class  id (graphic …), name, rank
  p:glyph    id, code, standard (empty: undecided), description (why it is decided so), cert

p:chapter  a page: the outermost divisions (篇, front matter). id, n, incipit (of one without a name: the words with which it begins), page (file name), alone (yes: it can be a TEI
           file by itself, since it is not front matter), kind, title, ref, units, notes,
           entries, characters (of the base text), variants (where along the base text, in thousandths, entries
           of rank ≥ 2 stand), collation (of several witnesses: its base and what is collated with it). Children: p:coverage*, p:voice*, then blocks.
p:coverage witness, siglum, share (0–1); p:run[@from @to] (0–1 along the chapter's base text).
p:voice    speaker, label, name, subtypes, notes: who comments in this chapter, in order of first appearance.
p:section  a division in a chapter (may nest). id, n, kind (section | ji | part | front), title, ref. Children: blocks.

Blocks:
p:passage  some base text with its commentary. kind (jing | verse | prose | head | trailer | figure | notes),
           id, ref, join ("yes": goes on in the same paragraph of the source as the passage before).
           Children: p:unit+ | p:head | p:trailer | p:prose | p:figure, then p:commentary?
  p:unit     id, n, ref, again ("yes": the reference is that of the unit before), characters, wits (ids of the witnesses that have it; absent in reading editions); inline content,
             or p:line* (verse="yes")
  p:commentary  p:note | p:notes (several speakers in one bracket; rend) | p:app[@block = 'yes'] (holds such)
  p:note     id, ref, kind (commentary | gloss | variant | source | editorial), subtype, subtype-name, speaker, label
             (郑注; empty: nobody), name, dynasty, cert, place, rend, wits, words (ids of the witnesses that do not
             abridge it, if some do), sigla of these (集编、注疏), of (集编：, in a note of more witnesses), on, on-end (ids), on-ref,
             on-page, alike (ids of notes that other works have under other names), alike-names, alike-pages (these, with |); inline content. Notes may stand in
             inline content too (brackets in rend).
p:juan     n, name (卷十一); may also stand in inline content.      p:furniture  kind; inline content
p:apparatus  at the end of a division, only if it has entries: p:entry+

Inline: text, and
p:app      id, class, rank, h0 h2 h3 (block="yes" round notes): its content is the lemma as printed.
           rank 0 script pair, 1 graphic or taboo form, 2 loan, corruption or loss in transcription, 3 other words.
           An entry is shown at level k (all 0, reading 2, substantive 3) if rank ≥ k; hK is then its number in its
           division in Chinese digits (一〇五); absent where rank < K.
             Apps nest.
p:attribution, p:accidental  words where works differ in how they introduce a note (注曰), or in punctuation and spacing
           only; p:other[@sigla @wits] in it is the text of those witnesses, not printed
p:move     id, witness, siglum, to, to-ref, to-page: that witness has the following text elsewhere; said: its sentence (absent
           if another p:move reports it)
p:g        ref, code, standard (yes | no); content is what to print       p:gap  reason, rend; content is what to print
p:corrected  sic, resp, cert, evidence, rend (printed by the source); content is the correction     p:supplied  reason, resp, cert, evidence; lost (yes: the source had the words)
p:space    (white space that separates speakers in the source; printed as one full-width space)
p:span     role (attribution scope lemma quote person title fanqie duruo textcrit call punct), subtype, rend, to, to-end, to-page, ref

With the parameter layer, the editor's punctuation and names too:
p:mark     sign, cert: a mark of the editor's; empty, so that no string of the text has it
p:name     kind (person place org title name), ref, cert, part (I M F of one in pieces): words that the editor marks as a name
p:set-aside  a mark of the source that the editor's marks replace; its content is the mark

p:entry    id, h0 h2 h3, ref, unit, class, rank, same-as (id of the entry that it repeats), same-page, again ("yes": not
           printed, since the entry that it repeats has 下同), stated ("yes": lists and counts omit it: the header
           states such differences once). Children:
  p:sentence   text with p:q (quoted words), p:siglum[@id], p:class[@id]: 「賔」，本义作「宾」。异体; from the parameter told
  p:comment    resp, cert; the editor's remark: 。按：……; from the parameter told
  p:reading    kind (lem | rdg), class, class-name, rank, evidence, citation (of a row of a list), resp, cert, remark (id of the note that reports it),
               remark-page, empty ("yes": has nothing there), order (in the local stemma); p:siglum[@id]* then p:words (inline
               content, no ids, an entry in it as p:accidental; a whole note by its first words)
  p:entry      differences among the witnesses of a reading, and those that the sentence reports too (in: id of this entry;
               their own sentence is only for lists); without numbers, since they are not in the printed text
-->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:p="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="../params.xsl"/>
  <xsl:include href="../lib/labels.xsl"/>
  <xsl:include href="../lib/references.xsl"/>
  <xsl:include href="../lib/plain.xsl"/>
  <xsl:include href="../lib/punctuation.xsl"/>
  <xsl:include href="02-layer.xsl"/>
  <xsl:include href="05-header.xsl"/>
  <xsl:include href="06-stated.xsl"/>
  <xsl:include href="10-blocks.xsl"/>
  <xsl:include href="15-inline.xsl"/>
  <xsl:include href="20-apparatus.xsl"/>
  <xsl:include href="30-passages.xsl"/>
  <xsl:include href="40-number.xsl"/>
  <xsl:include href="45-coverage.xsl"/>

  <!-- The prepared form of a TEI document: resolved, then gathered into passages and numbered. -->
  <xsl:function name="f:prepare" as="element(p:text)">
    <xsl:param name="tei" as="document-node()"/>
    <xsl:variable name="aside" as="document-node()" select="f:aside($tei)"/>
    <xsl:variable name="resolved" as="element(p:text)">
      <xsl:apply-templates select="$aside" mode="m:resolve">
        <xsl:with-param name="normalised" select="f:normalised-words($aside)" tunnel="yes"/>
      </xsl:apply-templates>
    </xsl:variable>
    <xsl:apply-templates select="$resolved" mode="m:number"/>
  </xsl:function>

</xsl:stylesheet>
