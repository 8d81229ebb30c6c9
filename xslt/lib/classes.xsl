<?xml version="1.0" encoding="UTF-8"?>
<!-- The classes of variants, the lists that decide some of them, and the levels of the apparatus.
     Written by `python -m tests.schemas` from jiaokan/model/variants.toml: change that. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:v="urn:jiaokan:variables" exclude-result-prefixes="#all">

  <!-- Each class: its weight 0 to 3, and its printed names. -->
  <xsl:variable name="v:classes" as="map(xs:string, map(xs:string, item()))" select="map{
      'script': map{'rank': 0, 'chinese': '繁简', 'english': 'Script pair'},
      'graphic': map{'rank': 1, 'chinese': '异体', 'english': 'Graphic variant'},
      'loan': map{'rank': 2, 'chinese': '通假', 'english': 'Loan'},
      'taboo': map{'rank': 1, 'chinese': '避讳', 'english': 'Taboo form'},
      'corruption': map{'rank': 2, 'chinese': '讹误', 'english': 'Corruption'},
      'lacuna': map{'rank': 2, 'chinese': '阙文', 'english': 'Loss'},
      'substantive': map{'rank': 3, 'chinese': '异文', 'english': 'Substantive'},
      'omission': map{'rank': 3, 'chinese': '脱文', 'english': 'Omission'},
      'addition': map{'rank': 3, 'chinese': '增文', 'english': 'Addition'},
      'transposition': map{'rank': 3, 'chinese': '移置', 'english': 'Transposition'}
  }"/>

  <!-- Each list of pairs, as rdg/@source cites it: its Chinese and its English name. -->
  <xsl:variable name="v:lists" as="map(xs:string, xs:string+)" select="map{
      'list:script': ('繁简字表', 'list of scripts'),
      'list:graphic': ('异体字表', 'list of graphs'),
      'list:loan': ('通假字表', 'list of loans'),
      'list:taboo': ('避讳字表', 'list of taboo forms'),
      'list:corruption': ('形近字表', 'list of slips')
  }"/>

  <!-- Each level: the least weight of a class that it prints. -->
  <xsl:variable name="v:levels" as="map(xs:string, xs:integer)" select="map{'all': 0, 'graphic': 1, 'reading': 2, 'substantive': 3}"/>
</xsl:stylesheet>
