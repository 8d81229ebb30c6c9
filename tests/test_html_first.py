"""What a page shows at once, for its first font (`jiaokan.outputs.web.fonts`)."""

from __future__ import annotations

import pytest
from lxml import html

from jiaokan.outputs.web.fonts import _first_words


@pytest.mark.parametrize(("page", "words"), [
    ("<p title='甲'>乙<b>丙</b>丁</p>", "甲乙丙丁"),
    ("<div>甲<noscript class='later'><p title='乙'>丙</p></noscript>丁</div>", "甲丁"),
    ("<details title='甲'><summary>乙</summary><p>丙</p>丁</details>戊", "甲乙戊"),
    ("<details><summary>甲</summary><form data-more='乙'>丙<p>丁</p></form></details>", "甲乙"),
    ("<form title='甲'><input title='乙'><fieldset><legend>丙</legend></fieldset><p>丁</p></form>戊", "甲乙戊"),
    ("<details><summary>甲</summary><details><summary>乙</summary>丙</details></details>丁", "甲丁"),
    ("<script type='a'>甲 &lt; 乙</script>", "甲乙"),
])
def test_what_is_shown_later_is_left_out(page: str, words: str) -> None:
    body = html.document_fromstring(f"<html><body>{page}</body></html>").find("body")
    assert sorted(set("".join(_first_words(body))) & set("甲乙丙丁戊")) == sorted(words)
