<?xml version="1.0" encoding="UTF-8"?>
<!-- The interface in English, by the keys of words.xsl and of lib/labels.xsl; and the dictionary made from both. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:f="urn:jiaokan:functions" xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map" exclude-result-prefixes="#all">

  <xsl:variable name="fp:english" as="map(xs:string, xs:string)" select="map{
      'skip': 'Skip to the text', 'schema-files': 'Schema files', 'elements': 'Elements', 'rules': 'Rules', 'moved-sign': '[moved]', 'contents': 'Contents', 'collection': 'Collection', 'previous': 'Previous', 'next': 'Next', 'view': 'View',
      'level': 'Apparatus', 'level-all': 'All', 'level-reading': 'Without graphic variants', 'level-substantive': 'Substantive only',
      'layers': 'Layers', 'layer-all': 'Text and comments', 'layer-base': 'Text only', 'place': 'Comments', 'place-auto': 'Beside',
      'place-below': 'Below', 'place-inline': 'In the line', 'all-speakers': 'All', 'no-speaker': 'None', 'theme': 'Paper', 'theme-auto': 'As device',
      'theme-light': 'Light', 'theme-dark': 'Dark', 'speakers': 'Speakers', 'direction': 'Direction', 'direction-horizontal': 'Horizontal',
      'direction-vertical': 'Vertical', 'apparatus': 'Collation notes', 'entry': 'Entry', 'evidence': 'by', 'grounds': 'Grounds', 'certainty': 'certainty',
      'responsible': 'judged by', 'remark': 'reported in', 'first-place': 'first at', 'close': 'Close', 'copy': 'Copy', 'copied': 'Copied', 'more': 'Read on',
      'unit-link': 'Link to unit', 'in': 'in', 'witnesses': 'Witnesses', 'commentators': 'Commentators',
      'principles': 'Principles', 'cite': 'Cite', 'downloads': 'Downloads', 'chapters': 'Chapters', 'sections': 'sections', 'characters': 'characters',
      'notes': 'comments', 'entries': 'entries', 'tei': 'TEI, whole', 'tei-alone': 'TEI of this chapter', 'schema': 'Schema (ODD)', 'about-text': 'About this text', 'licence': 'Licence', 'source': 'Source', 'reported': 'known from reports only',
      'front': 'Front matter', 'within': ' in it:', 'alike': 'cf. ', 'quoted-by': 'Quoted elsewhere', 'page-image': 'Page image', 'stands-in': 'Stands in', 'left-out': 'left out where it is quoted', 'note-text': 'Comments', 'correction': 'Correction', 'normalization': 'Graphs', 'punctuation': 'Punctuation', 'segmentation': 'Division',
      'quotation': 'Quotation', 'hyphenation': 'Hyphenation', 'interpretation': 'Interpretation', 'editor': 'ed.', 'made-with': 'Made with Jiaokan',
      'coverage-of': ' covers', 'variants-title': 'Where the text varies (without graphs, taboo forms, script)', 'undecided': 'undecided',
      'no-font': 'In no font; shown as', 'lost': 'lost', 'was': 'printed as', 'supplied': 'supplied', 'all-notes': 'all', 'classes': 'Classes',
      'map': 'Map', 'map-variants': 'Variants', 'map-how': 'Full red: other words; hollow red: other variants. Black: how much each commentator says. A row leads to its section.', 'translation': 'Translation', 'translation-off': 'None', 'points-full': 'Full', 'points-judou': 'Periods and pauses', 'points-none': 'None', 'lines': 'Names', 'lines-off': 'Plain', 'lines-on': 'Underlined', 'lines-how': 'Straight for persons, places and states, wavy for titles',
      'read-witness': 'Read', 'read-edited': 'Back to the edited text', 'read-how': 'None: the edited text; one: that witness; two to four: side by side',
      'differs': 'Differences from the edited text', 'lacks-unit': ' lacks this unit', 'lacks-here': ' lacks this unit, whose place is here', 'no-place': 'No such place in this text', 'site-about': 'Critical editions of Chinese classics: comments under the base text, variants with their witnesses, decisions with their grounds, to search, compare and cite.', 'search': 'Search',
      'search-words': 'Words, in any graphs or in pinyin', 'in-text': 'search for the name', 'theme-next': 'Light or dark', 'search-in': 'Texts', 'layer-b': 'Text', 'layer-n': 'Comments', 'layer-v': 'Readings of witnesses', 'found': 'Found',
      'found-none': 'Nothing found', 'found-more': 'More', 'search-on': 'Chapters left to search', 'shelves': 'Sections', 'no-shelf': 'Unclassified', 'find-text': 'Title or author', 'text-count': 'texts', 'earlier': 'Page before', 'later': 'Next page', 'by-text': 'Size of each text', 'mean': 'on average', 'loading': 'Reading', 'search-needs-script': 'Search needs scripts; contents, indexes and collation notes do not.',
      'search-how': 'Variant graphs find each other; punctuation does not count; base text is read on across comments. Several words, parted by spaces, stand in one unit; 公?礼 any one character, 公*礼 up to ten, 射|饮 either, [宾主] one of these, 公 ~5 礼 within five characters of each other. All is done on this device, offline too.',
      'entries-page': 'All entries', 'encoding-page': 'Encoding', 'place-of': 'Place', 'variant-class': 'Class', 'differing': 'Differing witness', 'sections-of': 'Section', 'words': 'Words',
      'indexes': 'Indexes', 'works-cited': 'Works cited', 'glyphs': 'Lost characters', 'mended': 'Corrections and lacunae', 'remarks': 'Text-critical remarks',
      'about-unit': 'on', 'statistics': 'Statistics', 'numbers-how': 'The table counts all entries; the pictures only what the collated witnesses have, not what notes report.', 'agreement': 'Agreement of witnesses', 'variants-by-class': 'Variants by chapter', 'entry-count': 'All',
      'responsibility': 'Responsibility', 'revisions': 'Revisions', 'authority': 'Made available by', 'funder': 'Funded by', 'per-thousand': 'per 1,000', 'copy-bibtex': 'Copy BibTeX', 'copy-where': 'Copied with its reference', 'copy-how': 'copies the selection with its reference', 'word-how': 'readings, graphs and glosses of the selected word', 'glosses': 'Glosses in this edition', 'plain-text': 'Text', 'state': 'version', 'edited-text': 'Edited text', 'relative': 'No place of publication is set: the address begins at the folder of this site', 'matrix': 'Commentators side by side', 'script': 'Script', 'script-source': 'As the source',
      'script-how': 'Changes only what is seen: copies, citations, search and collation notes follow the source; where one simplified graph stands for several, it stays',
      'script-traditional': 'Shown as traditional', 'script-simplified': 'Shown as simplified', 'reading-edition': 'Reading edition',
      'critical-edition': 'Critical edition', 'filter': 'Where it is found', 'character-page': 'Characters', 'code-point': 'Code point', 'pronounced': 'Reading', 'meaning': 'Meaning', 'same-word': 'Other graphs', 'variants-here': 'Where it varies here', 'for-programs': 'For programs', 'all-files': 'All files', 'all-by': 'All comments of this author', 'units': 'units', 'size': 'Size', 'size-small': 'Small', 'size-normal': 'Middle', 'size-large': 'Large', 'size-huge': 'Larger', 'measure': 'Line', 'measure-small': 'Short', 'measure-normal': 'Middle', 'measure-large': 'Long',
      'leading': 'Leading', 'leading-small': 'Close', 'leading-normal': 'Middle', 'leading-large': 'Wide', 'notes-from': 'Comments of this section are in ', 'notes-usual': 'Comments without a siglum are in ', 'leaf': 'Title lines of the base witness', 'seen-in': 'in', 'absent': ' lacks this section',
      'keys': 'Keys', 'key-unit': 'next and previous unit', 'key-note': 'next and previous comment', 'key-entry': 'next and previous entry', 'key-list': 'next, previous collation notes', 'key-quoted': 'next, previous quotation', 'key-leaf': 'next, previous leaf', 'key-open': 'open what one is at', 'rule:yitizi': 'dictionary of variants', 'rule:opencc': 'table of scripts',
      'unihan:kTraditionalVariant': 'Unihan, script', 'unihan:kSemanticVariant': 'Unihan, variants', 'unihan:kZVariant': 'Unihan, shapes', 'rule:guangyun-form': 'Guangyun, forms', 'rule:guangyun-sound': 'Guangyun, homophones', 'rule:printed': 'corrected in the source itself', 'rule:lost-place': 'rule: lost characters',
      'rule:lost-glyphs': 'rule: graphs lost throughout', 'rule:fragment': 'rule: fragments', 'rule:move': 'rule: moved passages', 'rule:order': 'rule: word order',
      'decision:correction': 'correction', 'decision:supplied': 'supplied', 'decision:lemmas': 'editor', 'decision:passim': 'editor, throughout', 'decision:class': 'editor', 'reference-how': 'Chapter, section and unit, parted by points, as', 'reference-as': 'A passage is cited as'}"/>

  <!-- Words in the pictures of the statistics. -->
  <xsl:variable name="fp:english-pictures" as="map(xs:string, xs:string)" select="map{
      '诸本相合之率（上为异文处之率，%；下为其数，及全文相合之率）':
      'How often witnesses agree (above: % of the places that vary; below: their number, and the agreement over the whole text)',
      '诸本亲疏（按异文轻重，无根，不表先后）': 'How near witnesses are (variants by weight; no root, no direction)',
      '异文沿正文之分布': 'Variants along the text', '诸家说沿正文之分布': 'Comments along the text', '正文': 'text', '条': 'entries'}"/>

  <!-- A script with each Chinese word of the interface and its English. A key without English is an error in a stylesheet. -->
  <xsl:template name="m:dictionary" as="text()">
    <xsl:variable name="words" as="map(xs:string, xs:string)" select="map:merge((
        map:keys($fp:interface) ! map{$fp:interface(.): ($fp:english(.), error(xs:QName('e:WORD'), 'no English for ' || .))[1]},
        $fp:english-pictures,
        tokenize($english, '\n') ! map{substring-before(., '='): substring-after(., '=')},
        map:keys($v:lists) ! map{$v:lists(.)[1]: $v:lists(.)[2]},
        map:for-each($v:classes, function($key, $class) { map{$class?chinese: $class?english} }),
        ('high', 'medium', 'low') ! map{$fp:words(.): $fp:english-words(.)}), map{'duplicates': 'use-first'})"/>
    <!-- The same words in traditional script, for pages of editions in it. -->
    <xsl:variable name="plain" as="xs:string" select="string-join(tokenize($traditional) ! substring(., 1, 1))"/>
    <xsl:variable name="formed" as="xs:string" select="string-join(tokenize($traditional) ! substring(., 2, 1))"/>
    <xsl:variable name="words" as="map(xs:string, xs:string)" select="map:merge(($words,
        map:keys($words) ! map{translate(., $plain, $formed): $words(.)}), map{'duplicates': 'use-first'})"/>
    <xsl:variable name="rows" as="xs:string*" select="
        for $key in sort(map:keys($words)) return serialize($key, map{'method': 'json'}) || ': ' || serialize($words($key), map{'method': 'json'})"/>
    <xsl:value-of select="'self.jiaokanWords = {&#10;' || string-join($rows, ',&#10;') || '&#10;};&#10;'"/>
  </xsl:template>
</xsl:stylesheet>
