"""Names that several rooms share: namespaces and closed vocabularies."""

from __future__ import annotations

TEI = "http://www.tei-c.org/ns/1.0"
XML = "http://www.w3.org/XML/1998/namespace"

NOTE_SUBTYPES = {
    "zhu": "注", "shu": "疏", "yinyi": "音义", "an": "按语", "fuzhu": "附注", "shuo": "诸家说",
}
"""Closed list of ``note/@subtype`` with its printed name."""
TRANSMITTED = frozenset({"zhu", "shu"})
"""Kinds of notes that are handed down with the text: an edition prints them whole, whichever work abridges them."""

REPORTED = {
    "jinwen": "今文", "guwen": "古文", "shijing": "石经", "jianben": "监本", "aoben": "敖本", "zhengben": "郑本",
    "haoben": "郝本", "tongjieben": "通解", "kanben": "刊本", "yinben": "印本", "fangben": "坊本", "jinben": "今本",
    "huaben": "华本", "zhuben": "诸本", "suben": "俗本", "huoben": "或本",
}
"""Witnesses known only by what commentaries report, with their printed names."""

WORKS = {
    "work-zhouli": "周礼", "work-kaogongji": "考工记", "work-shangshu": "尚书", "work-shijing": "诗",
    "work-yijing": "易", "work-yizhoushu": "逸周书", "work-guoyu": "国语", "work-zuozhuan": "左传",
    "work-gongyang": "公羊传",
    "work-shangshudazhuan": "尚书大传", "work-tongjie-cited": "仪礼经传通解", "work-jishuo": "仪礼集说",
    "work-liji": "礼记", "work-dadaili": "大戴礼记", "work-shuowen": "说文", "work-shiwen": "经典释文",
    "work-sangfuxiaoji": "丧服小记", "work-jili": "明集礼", "work-huidian": "明会典", "work-zhengheli": "政和五礼新仪",
    "work-shiguanli": "士冠礼", "work-shihunli": "士昏礼", "work-shixiangjianli": "士相见礼",
    "work-xiangyinjiuli": "乡饮酒礼", "work-xiangsheli": "乡射礼", "work-yanli": "燕礼", "work-dasheyi": "大射仪",
    "work-pinli": "聘礼", "work-gongshidafuli": "公食大夫礼", "work-jinli": "觐礼", "work-sangfu": "丧服",
    "work-shisangli": "士丧礼", "work-jixi": "既夕礼", "work-shiyuli": "士虞礼",
    "work-teshengkuishili": "特牲馈食礼", "work-shaolaokuishili": "少牢馈食礼",
}
"""Works cited under several titles, or by their parts, with their usual names; any other is called as it is cited."""

PROGRAM = "jiaokan"
"""``xml:id`` of the program's ``respStmt``; what it decides carries ``resp="#jiaokan"``."""
EDITORS = "editors"
"""``xml:id`` of the ``respStmt`` of the project's editors together, as ``resp`` of a decision names them."""
