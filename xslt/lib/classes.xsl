<?xml version="1.0" encoding="UTF-8"?>
<!-- The classes of variants and the levels of the apparatus.
     Written by `python -m tests.schemas` from jiaokan/model/variants.toml: change that. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:v="urn:jiaokan:variables" exclude-result-prefixes="#all">

  <!-- Each class: its weight, 0 to 3. -->
  <xsl:variable name="v:ranks" as="map(xs:string, xs:integer)" select="map{'encoding': 0, 'case': 0, 'script': 0, 'spelling': 1, 'graphic': 1, 'loan': 2, 'taboo': 1, 'transliteration': 2, 'lookalike': 2, 'corruption': 2, 'lacuna': 2, 'inflection': 2, 'substantive': 3, 'omission': 3, 'addition': 3, 'transposition': 3}"/>

  <!-- Each level: the least weight of a class that it prints. -->
  <xsl:variable name="v:levels" as="map(xs:string, xs:integer)" select="map{'all': 0, 'graphic': 1, 'reading': 2, 'substantive': 3}"/>
</xsl:stylesheet>
