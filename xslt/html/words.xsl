<?xml version="1.0" encoding="UTF-8"?>
<!-- Words of the interface. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="english.xsl"/>

  <xsl:variable name="fp:interface" as="map(xs:string, xs:string)" select="map{
      'skip': '跳至正文', 'schema-files': '规则文件', 'elements': '元素', 'rules': '规则', 'moved-sign': '〔移〕', 'contents': '目次', 'collection': '总目', 'previous': '前篇', 'next': '后篇', 'view': '显示',
      'level': '校勘', 'level-all': '全部', 'level-reading': '不含异体', 'level-substantive': '只看文字出入', 'layers': '层次',
      'layer-all': '经与注', 'layer-base': '唯经', 'place': '注文', 'place-auto': '旁列', 'place-below': '经下', 'place-inline': '夹注', 'all-speakers': '全列', 'no-speaker': '全隐',
      'theme': '纸色', 'theme-auto': '依设备', 'theme-light': '昼', 'theme-dark': '夜', 'speakers': '诸家',
      'direction': '行款', 'direction-horizontal': '横', 'direction-vertical': '直',
      'apparatus': '校勘记', 'entry': '校', 'evidence': '据', 'grounds': '所据', 'certainty': '可信', 'responsible': '判断', 'remark': '说见',
      'first-place': '初见', 'close': '收起', 'copy': '抄录', 'copied': '已抄', 'more': '展读全文', 'unit-link': '此句链接', 'in': '在',
      'witnesses': '底本与校本', 'commentators': '注家', 'principles': '凡例', 'cite': '引用', 'downloads': '下载',
      'chapters': '篇目', 'sections': '节', 'characters': '字', 'notes': '条注', 'entries': '条校', 'tei': 'TEI 全本', 'tei-alone': 'TEI 此篇', 'schema': 'TEI 规则（ODD）', 'about-text': '关于此本',
      'licence': '许可', 'source': '来源', 'reported': '仅据旧注称引', 'front': '卷首', 'within': '　其中', 'alike': '参', 'quoted-by': '他处引此', 'page-image': '书影', 'stands-in': '语见', 'left-out': '引者所略', 'note-text': '注',
      'correction': '改字', 'normalization': '字形', 'punctuation': '标点', 'segmentation': '分章', 'quotation': '引号',
      'hyphenation': '连字', 'interpretation': '释义', 'editor': '编', 'made-with': '校勘 Jiaokan', 'coverage-of': '本所存', 'variants-title': '经文异文所在（不计异体、避讳、繁简）',
      'undecided': '字未定', 'no-font': '字体所无，以此代：', 'lost': '原缺', 'was': '原作', 'supplied': '据补', 'all-notes': '全文', 'classes': '诸类', 'revisions': '修订', 'authority': '刊行', 'funder': '资助', 'responsibility': '职责',
      'script': '字形', 'script-how': '只改所见之形，抄录、引用、检索与校勘记悉依原本；一简对数繁者不改', 'script-source': '依原本', 'script-traditional': '示以繁体', 'script-simplified': '示以简体',
      'copy-bibtex': '抄录 BibTeX', 'copy-where': '并出处抄录', 'copy-how': '选文字而按之，并出处抄录', 'plain-text': '文字', 'state': '版本', 'edited-text': '校定本', 'relative': '此本未定网址，所记地址自本夹起', 'matrix': '诸家并观',
      'agreement': '诸本相合', 'variants-by-class': '各篇异文', 'entry-count': '共', 'per-thousand': '每千字',
      'entries-page': '校勘总表', 'encoding-page': '编码说明', 'place-of': '所在', 'variant-class': '类', 'differing': '有异之本', 'sections-of': '篇节', 'words': '字词',
      'indexes': '索引', 'works-cited': '引书', 'glyphs': '造字', 'mended': '正误补阙', 'remarks': '校语', 'about-unit': '论', 'statistics': '统计', 'numbers-how': '表计全部校记；图只计所校诸本之异，不计旧注所称引。',
      'points-full': '全', 'points-judou': '句读', 'points-none': '不加', 'lines': '专名', 'lines-off': '不加线', 'lines-on': '加线', 'lines-how': '人名、地名、国族加直线，书名加曲线',
      'search': '检索', 'search-words': '字词，可用繁简异体拼音', 'in-text': '检其名', 'theme-next': '换纸色', 'search-in': '诸书', 'layer-b': '经', 'layer-n': '注', 'layer-v': '诸本异文', 'found': '得', 'found-none': '未见',
      'found-more': '其余', 'search-on': '尚有可检之篇', 'shelves': '部类', 'no-shelf': '未分部类', 'find-text': '书名、撰人', 'text-count': '种', 'earlier': '前页', 'later': '后页', 'by-text': '各书字数', 'mean': '每种',  'loading': '检读', 'search-needs-script': '检索须浏览器容许脚本；篇目、索引与校勘记不须。',
      'search-how': '繁简、异体互通，标点不计，经文越注而连。多词以空格相隔，同在一句；公?礼 一字不拘，公*礼 十字以内，射|饮 任一，[宾主] 任一字，公 ~5 礼 相去五字以内。一切在本机检得，离线亦可。',
      'read-witness': '所读', 'read-edited': '还读校定本', 'read-how': '不选为校定本，一选为此本，二至四本并列', 'differs': '与校定本异', 'lacks-unit': '无此句', 'lacks-here': '无此句，其处当在此',
      'filter': '所见之处', 'character-page': '字', 'code-point': '码位', 'pronounced': '读音', 'meaning': '英释', 'same-word': '同字异形', 'variants-here': '诸本所见异字', 'for-programs': '供程序取用', 'all-files': '下载总目', 'all-by': '此家诸注', 'units': '句', 'size': '字号', 'size-small': '小', 'size-normal': '中', 'size-large': '大', 'size-huge': '特大', 'measure': '行宽', 'measure-small': '窄', 'measure-normal': '中', 'measure-large': '宽',
      'leading': '行距', 'leading-small': '密', 'leading-normal': '中', 'leading-large': '疏', 'notes-from': '此节注见', 'notes-usual': '注不言所出者，见', 'leaf': '底本题署', 'seen-in': '见于', 'absent': '无此节',
      'keys': '按键', 'key-unit': '后句、前句', 'key-note': '后注、前注', 'key-entry': '后校、前校', 'key-list': '后、前校勘记', 'key-quoted': '后、前引文', 'key-leaf': '后叶、前叶', 'key-open': '开所在之条',
      'reading-edition': '阅读本', 'critical-edition': '校勘本', 'reference-how': '篇、节、句以点相隔，如', 'reference-as': '所引之处，如',
      'rule:yitizi': '异体字典', 'rule:opencc': '简繁表',
      'unihan:kTraditionalVariant': 'Unihan 繁简', 'unihan:kSemanticVariant': 'Unihan 异体', 'unihan:kZVariant': 'Unihan 异形',
      'rule:lost-place': '原本阙字处', 'rule:printed': '底本自印校改', 'rule:lost-glyphs': '原本缺此字形', 'rule:fragment': '残卷所无', 'rule:move': '移在他处', 'rule:order': '语序不同',
      'decision:correction': '校改', 'decision:supplied': '校补', 'decision:lemmas': '编者所定', 'decision:passim': '编者通例', 'decision:class': '编者所定'
  }"/>

  <xsl:function name="f:ui" as="xs:string" visibility="public">
    <xsl:param name="key" as="xs:string"/>
    <xsl:sequence select="($fp:spoken($key), error(xs:QName('e:WORD'), 'no interface word for ' || $key))[1]"/>
  </xsl:function>
  <xsl:variable name="fp:spoken" as="map(xs:string, xs:string)" select="
      if ($interface eq 'en') then $fp:english else map:merge(map:keys($fp:interface) ! map{.: f:said($fp:interface(.))})"/>

  <!-- The evidence of a judgement in words: the tables, rules and decisions that rdg/@source names. -->
  <xsl:function name="f:evidence" as="xs:string" visibility="public">
    <xsl:param name="source" as="xs:string"/>
    <xsl:sequence select="string-join(distinct-values(tokenize($source) ! (if (map:contains($fp:interface, .)) then f:ui(.) else if ($interface eq 'en') then ($v:lists(.)[2], .)[1] else ($v:lists(.)[1] ! f:said(.), .)[1])), f:word('listing'))"/>
  </xsl:function>

  <!-- A canonical reference without its work: yili:6.1.3 → 6.1.3. -->
  <xsl:function name="f:short" as="xs:string" visibility="public">
    <xsl:param name="ref" as="xs:string"/>
    <xsl:sequence select="if (contains($ref, ':')) then substring-after($ref, ':') else $ref"/>
  </xsl:function>

  <!-- Whether the reference of an element differs from its id. -->
  <xsl:function name="f:cited-otherwise" as="xs:boolean" visibility="public">
    <xsl:param name="element" as="element()"/>
    <xsl:sequence select="translate($element/@ref, ':', '.') ne $element/@id"/>
  </xsl:function>

  <!-- The name of a division: its title, else its reference. -->
  <xsl:function name="f:called" as="xs:string" visibility="public">
    <xsl:param name="division" as="element()"/>
    <xsl:sequence select="string(($division/@title[. ne ''], f:short($division/@ref))[1])"/>
  </xsl:function>

  <!-- A link to an id on some page, relative to a page. -->
  <xsl:function name="f:href" as="xs:string" visibility="public">
    <xsl:param name="page" as="xs:string?"/>
    <xsl:param name="id" as="xs:string"/>
    <xsl:param name="here" as="xs:string"/>
    <xsl:sequence select="(if (string($page) = ('', $here)) then '' else encode-for-uri($page) || '.html') || '#' || $id"/>
  </xsl:function>

  <!-- An address from a TEI file, if it leads to a page; not one that a browser would execute. -->
  <xsl:function name="f:safe" as="xs:string?" visibility="public">
    <xsl:param name="address" as="xs:string"/>
    <xsl:sequence select="$address[matches(., '^(https?://|mailto:)', 'i')]"/>
  </xsl:function>
</xsl:stylesheet>
