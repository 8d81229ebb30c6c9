"""Surnames, by which words before 曰 are told to be a name."""

from __future__ import annotations

_SURNAMES = frozenset(
    "趙錢孫李周吳鄭王馮陳褚衛蔣沈韓楊朱秦尤許何呂施張孔曹嚴華金魏陶姜戚謝鄒喻柏水竇章雲蘇潘葛奚范彭郎魯韋昌馬苗鳳"
    "花方俞任袁柳酆鮑史唐費廉岑薛雷賀倪湯滕殷羅畢郝鄔安常樂于時傅皮卞齊康伍余元卜顧孟平黃和穆蕭尹姚邵湛汪祁毛禹狄"
    "米貝明臧計伏成戴談宋茅龐熊紀舒屈項祝董梁杜阮藍閔席季麻強賈路婁危江童顏郭梅盛林刁鍾徐邱駱高夏蔡田樊胡凌霍虞萬"
    "支柯昝管盧莫經房裘繆干解應宗丁宣賁鄧郁單杭洪包諸左石崔吉鈕龔程嵇邢滑裴陸榮翁荀羊於惠甄麴家封芮羿儲靳汲邴糜松"
    "井段富巫烏焦巴弓牧隗山谷車侯宓蓬全郗班仰秋仲伊宮寧仇欒暴甘鈄厲戎祖武符劉景詹束龍葉幸司韶郜黎薊薄印宿白懷蒲邰"
    "從鄂索咸籍賴卓藺屠蒙池喬陰鬱胥能蒼雙聞莘黨翟譚貢勞逄姬申扶堵冉宰酈雍郤璩桑桂濮牛壽通邊扈燕冀郟浦尚農溫別莊晏"
    "柴瞿閻充慕連茹習宦艾魚容向古易慎戈廖庾終暨居衡步都耿滿弘匡國文寇廣祿闕東歐殳沃利蔚越夔隆師鞏厙聶晁勾敖融冷訾"
    "辛闞那簡饒空曾毋沙乜養鞠須豐巢關蒯相查后荊紅游竺權逯蓋益桓公譙苞臣赵钱孙吴郑冯陈卫蒋韩杨许吕张严华谢邹苏鲁韦"
    "马凤鲍费贺汤罗毕邬乐时齐顾黄萧贝计谈庞纪项贾娄颜钟骆万卢经应单诸龚陆荣储乌车宁刘龙叶蓟怀从赖阴闻谭贡劳边农温"
    "庄阎习鱼广阙东欧师巩聂简饶关荆权盖鄚"
)
"""The surnames of 百家姓 (Song), of whose double ones (司馬, 皇甫) the first graph; with 桓, 公(孫), 譙, 苞 from what
何晏 and 裴駰 gather, and 臣, by which editors call themselves before the throne."""


def is_surname(name: str) -> bool:
    """Tell whether a name begins with a surname."""
    return name[:1] in _SURNAMES
