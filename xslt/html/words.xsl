<?xml version="1.0" encoding="UTF-8"?>
<!-- Words of the interface. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <xsl:include href="english.xsl"/>

  <xsl:variable name="fp:interface" as="map(xs:string, xs:string)" select="map{
      'skip': '跳至正文', 'schema-files': '规则文件', 'elements': '元素', 'rules': '规则', 'moved-sign': '〔移〕', 'contents': '目录', 'collection': '总目', 'previous': '上一篇', 'next': '下一篇', 'view': '显示',
      'level': '校勘', 'level-all': '全部', 'level-reading': '不含异体', 'level-substantive': '只看文字出入', 'layers': '层次',
      'layer-all': '经文与注文', 'layer-base': '仅经文', 'place': '注文位置', 'place-auto': '并列', 'place-below': '经下', 'place-inline': '夹注', 'all-speakers': '全部', 'no-speaker': '全部隐藏',
      'theme': '配色', 'theme-auto': '跟随系统', 'theme-light': '浅色', 'theme-dark': '深色', 'speakers': '诸家',
      'direction': '版式', 'direction-horizontal': '横排', 'direction-vertical': '竖排',
      'apparatus': '校勘记', 'entry': '校', 'evidence': '据', 'grounds': '所据', 'certainty': '可信', 'responsible': '裁定者', 'remark': '说见',
      'first-place': '初见', 'close': '收起', 'copy': '拷贝', 'copied': '已拷贝', 'more': '展开全文', 'unit-link': '本句链接', 'in': '在',
      'witnesses': '底本与校本', 'commentators': '注家', 'principles': '凡例', 'cite': '引用', 'downloads': '下载',
      'chapters': '篇目', 'sections': '节', 'characters': '字', 'notes': '条注', 'entries': '条校', 'tei': 'TEI 全本', 'tei-alone': 'TEI 此篇', 'schema': 'TEI 规则（ODD）', 'about-text': '关于本书',
      'licence': '许可', 'source': '来源', 'reported': '仅据旧注称引', 'front': '卷首', 'within': '　其中', 'alike': '参', 'quoted-by': '他处引用', 'page-image': '书影', 'stands-in': '出自', 'left-out': '引文所略', 'note-text': '注',
      'correction': '改字', 'normalization': '字形', 'punctuation': '标点', 'segmentation': '分章', 'quotation': '引号',
      'hyphenation': '连字', 'interpretation': '释义', 'editor': '编', 'made-with': '校勘 Jiaokan', 'coverage-of': '本所存', 'variants-title': '经文异文所在（不计异体、避讳、繁简）',
      'undecided': '字未定', 'no-font': '字体缺此字，以此代替：', 'lost': '原缺', 'was': '原作', 'supplied': '据补', 'all-notes': '全文', 'classes': '各类', 'revisions': '修订', 'authority': '刊行', 'funder': '资助', 'responsibility': '职责',
      'script': '字形', 'script-how': '只改变显示的字形；拷贝、引用、检索与校勘记仍依原本。一个简体对应多个繁体的字不改。', 'script-source': '依原本', 'script-traditional': '显示繁体', 'script-simplified': '显示简体',
      'copy-bibtex': '拷贝 BibTeX', 'copy-where': '已连同出处拷贝', 'copy-how': '选中文字后按此键，连同出处拷贝', 'word-how': '选中字词后按此键，看读音、字形与训释', 'glosses': '本书训释', 'plain-text': '文字', 'state': '版次', 'edited-text': '校定本', 'relative': '本站尚无固定网址，地址从本文件夹算起', 'matrix': '各家对照',
      'agreement': '各本相合', 'variants-by-class': '各篇异文', 'entry-count': '共', 'per-thousand': '每千字',
      'entries-page': '校勘总表', 'encoding-page': '编码说明', 'place-of': '位置', 'variant-class': '类别', 'differing': '异文版本', 'sections-of': '篇节', 'words': '字词',
      'indexes': '索引', 'works-cited': '引书', 'glyphs': '缺字', 'mended': '正误补阙', 'remarks': '校语', 'about-unit': '论', 'statistics': '统计', 'numbers-how': '表中统计全部校记；图中只统计所校各本的异文，不含旧注称引的异文。',
      'map': '总览', 'map-variants': '异文', 'map-how': '红实条为文字出入，红空条为其他异文；墨条为各家注文字数。点一行即至该节。', 'translation': '译文', 'translation-off': '不显示', 'points-full': '全', 'points-judou': '句读', 'points-none': '不加', 'lines': '专名', 'lines-off': '不加线', 'lines-on': '加线', 'lines-how': '人名、地名、国族名加直线，书名加曲线',
      'site-about': '古籍校勘本：经文之下列诸家注文，异文各注所出，裁定各有依据；可检索、对校、引用。', 'search': '检索', 'search-words': '字词；繁简、异体、拼音皆可', 'in-text': '检索此名', 'theme-next': '切换配色', 'search-in': '检索范围', 'layer-b': '经', 'layer-n': '注', 'layer-v': '诸本异文', 'found': '找到', 'found-none': '未找到',
      'found-more': '更多', 'search-on': '尚未检索的篇', 'shelves': '部类', 'no-shelf': '未分部类', 'find-text': '书名或作者', 'text-count': '种', 'earlier': '上一页', 'later': '下一页', 'by-text': '各书字数', 'mean': '平均每种',  'loading': '载入中', 'search-needs-script': '检索需要浏览器启用 JavaScript；篇目、索引与校勘记不需要。',
      'search-how': '繁简、异体互通，不计标点，经文可跨越注文连续检索。多个词以空格分隔，须在同一句内；公?礼 任意一字，公*礼 十字以内，射|饮 任一，[宾主] 其中一字，公 ~5 礼 相距五字以内。全部在本机检索，离线也可使用。',
      'read-witness': '版本', 'read-edited': '返回校定本', 'read-how': '不选为校定本；选一本，读该本；选二至四本，并列显示', 'differs': '与校定本不同', 'lacks-unit': '无此句', 'lacks-here': '无此句，应在此处', 'no-place': '此处无此编号',
      'filter': '出现位置', 'character-page': '字', 'code-point': '码位', 'pronounced': '读音', 'meaning': '英文释义', 'same-word': '同字异形', 'variants-here': '各本异体字', 'for-programs': '供程序使用', 'all-files': '下载总目', 'all-by': '此家全部注文', 'units': '句', 'size': '字号', 'size-small': '小', 'size-normal': '中', 'size-large': '大', 'size-huge': '特大', 'measure': '行宽', 'measure-small': '窄', 'measure-normal': '中', 'measure-large': '宽',
      'leading': '行距', 'leading-small': '紧', 'leading-normal': '中', 'leading-large': '松', 'notes-from': '此节注见', 'notes-usual': '未注明出处的注文，见', 'leaf': '底本题署', 'seen-in': '见于', 'absent': '无此节',
      'keys': '快捷键', 'key-unit': '下一句、上一句', 'key-note': '下一条、上一条注文', 'key-entry': '下一条、上一条校记', 'key-list': '校勘记中的下一条、上一条', 'key-quoted': '下一处、上一处引文', 'key-leaf': '下一叶、上一叶', 'key-open': '打开当前一条',
      'reading-edition': '阅读本', 'critical-edition': '校勘本', 'reference-how': '篇、节、句以点相隔，如', 'reference-as': '所引之处，如',
      'rule:yitizi': '异体字典', 'rule:opencc': '简繁表',
      'unihan:kTraditionalVariant': 'Unihan 繁简', 'unihan:kSemanticVariant': 'Unihan 异体', 'unihan:kZVariant': 'Unihan 异形', 'rule:guangyun-form': '《广韵》同字', 'rule:guangyun-sound': '《广韵》同音',
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
