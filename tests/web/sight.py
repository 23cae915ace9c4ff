"""Measure in the browser which parts of a seat page a person can see, tap and read."""

from __future__ import annotations

from collections.abc import Iterator

from tests.show.browser import Page

PHONE = (360, 640)
WIDTHS = (320, 1280)
CALM = "performance.now() > calmUntil"
_SMALL = """[...document.querySelectorAll('button, summary, .own, .move, textarea, input[type=email], input[type=text]')]
  .filter((e) => !e.closest('[hidden]')).map((e) => [e, e.getBoundingClientRect()])
  .filter(([e, r]) => r.width && (r.width < 44 || r.height < 44))
  .map(([e, r]) => `${e.textContent.trim().slice(0, 20)} ${r.width} x ${r.height}`)"""
_PALE = """(() => {
  const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > .9) return c.slice(0, 3); } return [255, 255, 255]; };
  const pale = new Set();
  const texts = document.createTreeWalker(document.querySelector('#seat'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement, text = texts.currentNode.textContent.trim();
    if (!text || !e.getClientRects().length || e.matches('.back')) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color).slice(0, 3)), light(ground(e))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) pale.add(`${text.slice(0, 30)} ${ratio.toFixed(1)}`);
  }
  return [...pale];
})()"""
_UNSEEN = """(() => {
  const tray = document.querySelector('.tray').getBoundingClientRect().top;
  const low = (e) => e.getBoundingClientRect().bottom > tray;
  const cards = [...document.querySelectorAll('.table [data-t], .table .label, .table .card, .table .mini')].filter(low);
  const unseen = cards.map((e) => `${e.textContent.trim().slice(0, 20)} ends at ${e.getBoundingClientRect().bottom} of ${tray}`);
  const ways = [...document.querySelectorAll(document.body.matches('.large') ? '.move, button.card:not(.no)' : '.move')];
  if (ways.every(low)) unseen.push(`first move ends at ${ways[0]?.getBoundingClientRect().bottom} of ${tray}`);
  return unseen;
})()"""
_WIDTH = "document.documentElement.scrollWidth"


def faults(page: Page, *, is_turn: bool = True) -> Iterator[str]:
    """Yield parts of a page on a phone that its reader cannot see, tap or read.

    Args:
        is_turn: hand, table and a listed move must be visible on a small phone without scrolling. With large
            cards, a card that can be tapped is enough.
    """
    if is_turn:
        yield from (f"not on the first screen: {text}" for text in page.ask(_UNSEEN))
    yield from (f"too small: {text}" for text in page.ask(_SMALL))
    for on in (True, False):
        page.dark(on=on)
        yield from (f"too pale, {'dark' if on else 'light'}: {text}" for text in page.ask(_PALE))
    for width in WIDTHS:
        page.resize(width, 900)
        if (wide := page.ask(_WIDTH)) > width:
            yield f"{wide} px wide in a window of {width}"
