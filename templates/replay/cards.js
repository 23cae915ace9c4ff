"use strict";

/* Cards as elements. A card is its notation: 7c, 10h, Qd; in Phase 10 R5, W, S. */

const SUITS = { c: ["♣", "clubs"], d: ["♦", "diamonds"], h: ["♥", "hearts"], s: ["♠", "spades"] };
const RANKS = { J: "jack", Q: "queen", K: "king", A: "ace" };
const COLOURS = { R: "red", B: "blue", G: "green", Y: "yellow" };
const MANY_BACKS = 7;

/** Make an element: el("p", "note", "text", child, …). */
function el(name, classes, ...content) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  made.append(...content.filter((item) => item !== null && item !== undefined));
  return made;
}

/** Say a card in words, for people who listen. */
function cardWords(card) {
  const standard = /^(10|[2-9JQKA])([cdhs])$/.exec(card);
  if (standard) return `${RANKS[standard[1]] || standard[1]} of ${SUITS[standard[2]][1]}`;
  const coloured = /^([RBGY])(\d+)$/.exec(card);
  if (coloured) return `${COLOURS[coloured[1]]} ${coloured[2]}`;
  return { W: "wild", S: "skip" }[card] || card;
}

/** Draw one card, face up. */
function drawCard(card, more) {
  const standard = /^(10|[2-9JQKA])([cdhs])$/.exec(card);
  const coloured = /^([RBGY])(\d+)$/.exec(card);
  let made;
  if (standard) {
    const colour = "dh".includes(standard[2]) ? "red" : "black";
    made = el("span", `card ${colour}`, el("b", "", standard[1]), el("i", "", `${SUITS[standard[2]][0]}\ufe0e`));
  } else if (coloured) {
    made = el("span", `card p10 ${COLOURS[coloured[1]]}`, el("b", "", coloured[2]), el("i", "", coloured[1]));
  } else {
    const name = { W: "wild", S: "skip" }[card] || "other";
    made = el("span", `card p10 ${name}`, el("b", "", card), el("i", "", name));
  }
  if (more) made.classList.add(more);
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", cardWords(card) + (more === "down" ? ", face down" : ""));
  made.dataset.card = card;
  return made;
}

/** Draw cards side by side; `marked` are known to everybody. */
function drawCards(cards, marked = []) {
  const left = [...marked];
  const drawn = cards.map((card) => {
    const place = left.indexOf(card);
    if (place >= 0) left.splice(place, 1);
    const made = drawCard(card, place >= 0 ? "known" : "");
    if (place >= 0) made.title = "everybody knows this card";
    return made;
  });
  return el("span", "cards", ...drawn);
}

/** Draw the back of a card, with a word or number on it. */
function drawBack(text = "") {
  const made = el("span", "card back", text === "" ? null : el("b", "", String(text)));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", text === "" ? "a hidden card" : `hidden card ${text}`);
  return made;
}

/** Draw so many hidden cards as a fan. */
function drawBacks(count) {
  const fan = el("span", "fan");
  for (let number = 0; number < Math.min(count, MANY_BACKS); number += 1) fan.append(el("span", "card back"));
  fan.setAttribute("role", "img");
  fan.setAttribute("aria-label", `${counted(count, "hidden card")}`);
  return el("span", "cards", fan, el("span", "count", `${count}`));
}

/** Say `1 card`, `2 cards`. */
function counted(count, one) {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}

/** Set the cards of a sentence off. */
function rich(text) {
  const parts = text.split(/((?:10|[2-9JQKA])[♣♦♥♠])/);
  return parts.map((part, number) => {
    if (number % 2 === 0) return part;
    return el("b", /[♦♥]/.test(part) ? "in red" : "in", `${part}\ufe0e`);
  });
}
