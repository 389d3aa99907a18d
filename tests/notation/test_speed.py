"""A whole rite is read while nobody waits."""

import time

from yanli.notation.parser import parse

SECTION = """## 主人獻賓 · host-offers

主人坐取爵于上篚以降
    主人 坐，取 爵 于 上篚，興，降
賓降
    賓 降
主人阼階前西面坐奠爵興辭降
    主人 立 阼階前 西面，坐，奠 爵，興，辭 賓 降
    註 義 賓 「降」
賓對
    賓 對 主人 「{某}敢不從」
    若 有 大夫 在 堂上 且 所 = 序
        [有司] 設 席，[興，皆 不 坐 據 下文奠爵于篚]，布 純
    否
        賓、介 揖 ‖ 主人 揖，升
    說 豫 · 鄭玄、賈公彥 主
        司射 由 楹內，適 堂西，袒，決，遂
    說 豫 · 敖繼公
        司射 由 楹外
    每 耦 在 三耦
        當 「賓降」 畢
            ‖ 上射 揖，進
    如 主人獻賓 主人→賓 賓→主人 除 嚌 啐

"""


def test_a_score_of_two_and_a_half_thousand_lines_is_read_in_a_blink() -> None:
    text = SECTION * 110
    assert text.count("\n") > 2500
    parse(SECTION, "譜.pu")
    taken = []
    for _ in range(3):
        started = time.process_time()
        score = parse(text, "譜.pu")
        taken.append(time.process_time() - started)
    assert score.findings == ()
    assert min(taken) < 0.35
