/* What a reader sees of a mail: where hand and moves begin, words, touch sizes, pairs of colours. */
((handLabels) => {
  const shown = (element) => element.getClientRects().length > 0;
  const top = (element) => Math.round(element.getBoundingClientRect().top + scrollY);
  const links = [...document.querySelectorAll("a[href^='mailto:']")].filter(shown);
  const buttons = links.filter((link) => getComputedStyle(link).display === "block");
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.textContent.trim() && shown(node.parentElement)) texts.push(node);
  }
  // Very many cards are letters, in the line below the label.
  const label = texts.find((node) => handLabels.some((one) => node.textContent.trim().startsWith(one)));
  const hand = label && [...document.querySelectorAll("[role=img]")].find(
    (card) => label.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING);
  const begin = label && [hand, label.parentElement.nextElementSibling].find(
    (one) => one && top(one) - top(label.parentElement) < 120);
  const isRunning = (node) => !node.parentElement.closest(
    "[role=img], a[href^='mailto:'], table:not([role=presentation]), .zone, .page.muted");
  const isCard = /^((10|[2-9JQKA])[♣♦♥♠]\ufe0e?|[RBGY](1[0-2]|[1-9])|[WS])[.,;:)]*$/u;
  const pairs = {};
  for (const node of texts) {
    const pair = [getComputedStyle(node.parentElement).color, ground(node.parentElement)].join(" on ");
    if (pairs[pair]) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = [...range.getClientRects()].find((one) => one.width > 4);
    const { x, y, width, height } = box || node.parentElement.getBoundingClientRect();
    pairs[pair] = {
      text: node.textContent.trim().slice(0, 40),
      clip: { x: x + scrollX, y: y + scrollY, width, height, scale: 3 },
    };
  }
  const name = (element) => element.innerText.replace(/\s+/g, " ").trim();
  return {
    hand: begin ? top(begin) : null,
    move: buttons.length ? top(buttons[0]) : null,
    width: document.documentElement.scrollWidth,
    words: texts.filter(isRunning).flatMap((node) => node.textContent.match(/[\p{L}\p{N}][^\s]*/gu) || [])
      .filter((word) => !isCard.test(word)).length,
    pairs,
    buttons: buttons.map((link) => {
      const box = link.getBoundingClientRect(), cell = link.parentElement.getBoundingClientRect();
      const text = document.createRange();
      text.selectNodeContents(link);
      return {
        name: name(link),
        height: Math.round(cell.height),
        isWrapped: box.height > 60 && !link.querySelector("br"),
        isCut: text.getBoundingClientRect().right > cell.right + 1,
        edge: getComputedStyle(link.parentElement).borderTopColor,
        ground: ground(link.parentElement.parentElement),
      };
    }),
  };
})
