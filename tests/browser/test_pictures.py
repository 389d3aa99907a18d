"""Every section of every rite, on a desktop and a phone, with few and with many: names are read, nobody is hidden."""

import pytest
from tests.browser.driving import NewPage
from tests.browser.reading import Reader
from tests.browser.scenes import CASTS, SIZES, faults, scenes

# At least so many sections are played, counted in the scores: 大射儀 has 46, and 復射 only when the lord bids them
# shoot again; 鄉飲酒禮 has 27, the last of them the record (記), whose clauses may be told where they belong; 聘禮 has
# three. Of the 98 of 鄉射禮 those of a lord's, of the fewer guests, and of what is remembered are not played.
SECTIONS = {
    "xiangshe-three-pairs": 46,
    "xiangshe-ten-pairs": 46,
    "xiangyinjiu": 26,
    "xiangyinjiu-nobles": 26,
    "dashe": 45,
    "dashe-many": 46,
    "pinli": 3,
}
# On a phone as many people as come by default are enough.
SEEN = [(size, cast) for size in SIZES for cast in CASTS if size == "desktop" or not cast.endswith(("many", "nobles"))]


@pytest.mark.parametrize(("size", "cast"), SEEN)
def test_names_are_readable_and_nobody_stands_where_he_cannot(new_page: NewPage, size: str, cast: str) -> None:
    page = new_page(reduced_motion="reduce", **SIZES[size])
    wrong = []
    seen = 0
    for scene in scenes(Reader(page), size, cast):
        wrong += [f"{scene.number} {scene.name} at {scene.time:.2f}: {fault}" for fault in faults(page)]
        seen += 1
    assert seen >= SECTIONS[cast]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("harm", ["names overlap", "a name on a figure", "acts without a name"])
def test_a_fault_in_a_drawing_would_be_seen(reader: Reader, harm: str) -> None:
    reader.open(("t", "1275.02"))
    assert faults(reader.page) == []
    reader.page.evaluate(
        """(harm) => {
          const root = document.querySelector('yanli-plan').shadowRoot;
          const names = [...root.querySelectorAll('.main .name.person')];
          const acting = root.querySelector('.main g.actor.acting');
          const own = names.find((name) => name.dataset.of === acting.dataset.name);
          const move = (name, {left, top}) => {
            const window = document.querySelector('yanli-plan').getBoundingClientRect();
            name.style.transform = `translate(${left - window.left}px, ${top - window.top}px)`;
          };
          if (harm === 'acts without a name') own.remove();
          else if (harm === 'names overlap') move(own, names.find((name) => name !== own).getBoundingClientRect());
          else move(own, acting.querySelector('.head').getBoundingClientRect());
        }""",
        harm,
    )
    assert any(fault.startswith(harm) for fault in faults(reader.page))
