"use strict";

/* The seat page, tapped. There is no rule of a game in here: the server lists the moves as radio buttons and says of each
   which of the player's cards it needs (data-taps). A tap chooses, the order appears in the line, and only Send sends.
   Without scripts the radio buttons and the line do the same. */

const one = (css, root = document) => root.querySelector(css);
const all = (css, root = document) => [...root.querySelectorAll(css)];
const CALM = 400; // milliseconds in which a page that has just changed takes no tap
const EVERY = 5000;
const SLOWEST = 30000;

let picked = []; // the cards that were tapped, in this order
let moves = [];
let calmUntil = 0;
let etag = "";
let pause = EVERY;
let timer = 0;
let stream = null;
let isMissed = false; // an event came while a form was on its way

const form = () => one("#act");
const line = () => one("#words");
const kind = (card) => card.dataset.kind || card.dataset.t;
const isSending = () => form()?.dataset.sending === "yes";
const isBusy = () => Boolean(picked.length || line()?.value.trim() || one("input[name=move]:checked"));

/* --- Which moves fit the taps ------------------------------------------------------------------------ */

/** The cards that a move still needs after these taps, or null if they do not fit it. */
function missing(move, cards) {
  const needs = [...move.needs];
  for (const card of cards) {
    const place = needs.indexOf(kind(card));
    if (place < 0) return null;
    needs.splice(place, 1);
  }
  return needs;
}

const fitting = (cards) => moves.filter((move) => move.needs.length && missing(move, cards));

/** A card as orders of some languages write it: with its sign. */
const signed = (card) => card.textContent.replace(/\ufe0e/g, "");

/** The words of a move, with the very cards that were tapped. */
function wordsOf(move) {
  const left = [...picked];
  return move.radio.value.split(" ").map((word) => {
    const meant = move.cards.find((card) => [card.dataset.t, signed(card)].includes(word));
    const place = meant ? left.findIndex((card) => kind(card) === kind(meant)) : -1;
    if (place < 0) return word;
    const [card] = left.splice(place, 1);
    return word === meant.dataset.t ? card.dataset.t : signed(card);
  }).join(" ");
}

/* --- Taps -------------------------------------------------------------------------------------------- */

/** Take the card to the others, or back; one that does not go with them begins anew. */
function tap(card) {
  if (performance.now() < calmUntil) return;
  const ways = picked.includes(card)
    ? [picked.filter((other) => other !== card)]
    : [[...picked, card], [card]];
  const way = ways.find((cards) => !cards.length || fitting(cards).length);
  if (!way) return tell(form().dataset.not);
  picked = way;
  compose();
}

/** Choose the one move that these cards make, or offer those that they begin. */
function compose() {
  const candidates = picked.length ? fitting(picked) : [];
  const whole = candidates.filter((move) => !missing(move, picked).length);
  const chosen = whole.length === 1 ? whole[0] : null;
  for (const move of moves) {
    move.radio.checked = move === chosen;
    move.label.classList.toggle("fits", candidates.includes(move) && move !== chosen);
  }
  line().value = chosen ? wordsOf(chosen) : "";
  offer(whole.length > 1 ? whole : []);
  tell(chosen ? form().dataset.ready : picked.length ? form().dataset.more : form().dataset.begin);
  show();
}

/** Show the moves that these very cards make in the tray. */
function offer(several) {
  one("#fits").replaceChildren(...several.map((move) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = move.radio.value;
    button.addEventListener("click", () => { move.radio.checked = true; choose(move); });
    return button;
  }));
}

function show() {
  for (const card of all("button[data-t]")) {
    const isPicked = picked.includes(card);
    card.setAttribute("aria-pressed", isPicked);
    card.classList.toggle("no", !isPicked && !fitting([card]).length);
  }
  form().classList.toggle("ready", line().value.trim() !== "");
}

/** Say it in the hint; people who listen also hear the order. */
function tell(text) {
  one("#hint").textContent = text;
  one("#told").textContent = `${line().value} ${text}`;
}

/** A listed move was chosen: raise its cards as if they had been tapped. */
function choose(move) {
  picked = [];
  for (const need of move.needs) {
    const card = move.cards.find((each) => !picked.includes(each) && kind(each) === need);
    if (card) picked.push(card);
  }
  for (const other of moves) other.label.classList.remove("fits");
  offer([]);
  line().value = move.radio.value;
  tell(form().dataset.ready);
  show();
}

/* --- Sending ----------------------------------------------------------------------------------------- */

/** Ask for the address only when an order is sent: until then the moves need the room. */
function askWho(isAsked) {
  one("#who").hidden = !isAsked;
  one("#address").required = isAsked; // a browser sends no form with a hidden field that must be filled
}

async function send(event) {
  event.preventDefault();
  const sent = event.target;
  if (sent.dataset.sending || performance.now() < calmUntil) return;
  if (line() && !line().value.trim()) return tell(sent.dataset.begin);
  if (one("#who")?.hidden) {
    askWho(true);
    return one("#address").focus();
  }
  sent.dataset.sending = "yes";
  try {
    const answer = await fetch(location.pathname, { method: "POST", body: new URLSearchParams(new FormData(sent)) });
    if (answer.status >= 500) throw new Error();
    const isRefused = !answer.ok;
    exchange(await answer.text());
    if (!isRefused) {
      one("h1").focus();
      one("#told").textContent = all(".result").map((result) => result.textContent.trim()).join(" ");
    }
    if (isMissed) renew().catch(retry); // only what is newer than the result replaces it
    isMissed = false;
    if (stream?.readyState !== EventSource.OPEN) follow();
  } catch {
    delete sent.dataset.sending; // the same form can be sent again: it counts once
    if (one("#hint")) tell(sent.dataset.offline);
    else one("#told").textContent = sent.dataset.offline;
  }
}

/* --- The table moves on ------------------------------------------------------------------------------ */

/** Put the new page in place of the old one. */
function exchange(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (!one("#seat", fresh)) return location.reload();
  document.title = fresh.title;
  document.body.className = fresh.body.className;
  one("#seat").replaceWith(one("#seat", fresh));
  calmUntil = performance.now() + CALM;
  begin();
}

/** Look for a newer page. Whoever is choosing or writing is told of it, and not disturbed. */
async function renew(now = false) {
  const shown = etag;
  const headers = now ? {} : { "If-None-Match": shown };
  const answer = await fetch(location.pathname, { headers, cache: "no-store" });
  if (answer.status === 304) return;
  if (answer.status >= 500) throw new Error();
  const html = await answer.text();
  if (!now && (isSending() || etag !== shown)) return; // a result is coming, or has come meanwhile
  if (now || !isBusy()) {
    exchange(html);
    one("#told").textContent = one("h1").textContent;
  } else one("#moved").hidden = false;
}

/** Follow the table; where no stream comes through, look from time to time. */
function follow() {
  rest();
  if (!line() || document.hidden) return;
  stream = new EventSource(`${location.pathname}/live`);
  stream.onmessage = ({ data }) => {
    pause = EVERY;
    if (isSending()) isMissed = true;
    else if (`"${data}"` !== etag) renew().catch(retry);
  };
  stream.onerror = retry;
}

function rest() {
  stream?.close();
  clearTimeout(timer);
}

function retry() {
  rest();
  const delay = pause * (1 + Math.random()); // all pages lose their streams when the service restarts
  timer = setTimeout(() => renew().then(follow, retry), delay);
  pause = Math.min(pause * 2, SLOWEST);
}

/* --- Beginning --------------------------------------------------------------------------------------- */

/** Make buttons of the cards that can be tapped, in the same place and size. */
function begin() {
  picked = [];
  for (const mark of line() ? all("span[data-t]") : []) {
    const button = document.createElement("button");
    for (const { name, value } of mark.attributes) if (name !== "role") button.setAttribute(name, value);
    button.type = "button";
    button.append(...mark.childNodes);
    mark.replaceWith(button);
    button.addEventListener("click", () => tap(button));
  }
  const cards = all("button[data-t]");
  moves = all("input[name=move]").map((radio) => {
    const codes = radio.dataset.taps.split(" ").filter(Boolean);
    const needs = codes.map((code) => kind(cards.find((card) => card.dataset.t === code) || { dataset: { t: code } }));
    return { radio, needs, cards, label: radio.closest("label") };
  });
  for (const move of moves) move.radio.addEventListener("change", () => choose(move));
  form()?.addEventListener("submit", send);
  one("#moved button")?.addEventListener("click", () => renew(true).catch(retry));
  line()?.addEventListener("input", () => {
    picked = [];
    for (const move of moves) move.radio.checked = false;
    offer([]);
    show();
  });
  etag = `"${one("input[name=digest]")?.value}"`;
  if (line()) show();
  else rest();
  if (one("#who")) askWho(Boolean(line().value));
}

document.addEventListener("visibilitychange", () => (document.hidden ? rest() : renew().then(follow, retry)));
begin();
follow();
