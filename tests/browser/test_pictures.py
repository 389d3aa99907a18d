"""Every section, on a desktop and a phone, with three pairs and with ten: names are read, and nobody is hidden."""

import pytest
from tests.browser.driving import NewPage
from tests.browser.reading import Reader
from tests.browser.scenes import CASTS, SIZES, faults, scenes


@pytest.mark.parametrize("cast", CASTS)
@pytest.mark.parametrize("size", SIZES)
def test_names_are_readable_and_nobody_stands_where_he_cannot(new_page: NewPage, size: str, cast: str) -> None:
    page = new_page(reduced_motion="reduce", **SIZES[size])
    wrong = []
    seen = 0
    for scene in scenes(Reader(page), size, cast):
        wrong += [f"{scene.number} {scene.name} at {scene.time:.2f}: {fault}" for fault in faults(page)]
        seen += 1
    # All sections but those of a lord's, of the fewer guests, and of what is remembered after the text.
    assert seen > 45
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
