"use strict";

/* Steps through a game. Each step is the one before it with some instructions followed
   (pbem/show/delta.py); "all" are the eyes of everybody at once, "none" those of an observer. */

let game = null;
const documents = [];
const by = (id) => document.getElementById(id);
const PACE = 1400;
let here = 0;
let timer = null;

function follow(value, path, what) {
  if (!path.length) return what.length === 1 ? what[0] : [...value.slice(0, what[0]), ...what[1]];
  const [key, ...rest] = path;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (!rest.length && !what.length) delete copy[key];
  else copy[key] = follow(copy[key], rest, what);
  return copy;
}

function documentAt(index) {
  for (let number = documents.length; number <= index; number += 1) {
    let made = number ? documents[number - 1] : {};
    for (const [path, ...what] of game.steps[number].change) made = follow(made, path, what);
    documents.push(made);
  }
  return documents[index];
}

/** The table as these eyes see it: the observer's, with what they see beside that. */
function viewAt(index, eyes) {
  const { table, eyes: own } = documentAt(index);
  const seats = eyes === "all" ? game.eyes : eyes === "none" ? [] : [Number(eyes)];
  let view = table;
  for (const seat of seats) {
    for (const [path, value] of Object.entries(own[seat] || {})) {
      if (eyes !== "all" || path.startsWith("seats/")) view = follow(view, path.split("/"), [value]);
    }
  }
  return view;
}

function saidAt(index, eyes) {
  const step = game.steps[index];
  return step.own[eyes] || step.say;
}

function place(step) {
  if (step.move === 0) return "The deal";
  if (step.first !== undefined && step.first < step.move) return `Moves ${step.first}–${step.move}`;
  return step.first === undefined ? `After move ${step.move}` : `Move ${step.move}`;
}

function show(index, { keep = false } = {}) {
  here = Math.max(0, Math.min(game.steps.length - 1, index));
  const step = game.steps[here];
  const eyes = by("eyes").value;
  const eye = eyes === "all" || eyes === "none" ? null : Number(eyes);
  const at = { names: game.names, eye, mover: step.seat ?? null };
  const last = game.steps[game.steps.length - 1].move;
  by("where").textContent = `${place(step)}${step.move ? ` of ${last}` : ""} · event ${step.event} · ${step.at} UTC`;
  const lines = saidAt(here, eyes).map((line) => el("p", "", ...rich(line)));
  if (step.how) lines.push(el("p", "how", step.how));
  by("said").replaceChildren(...lines);
  const table = drawTable(game.ruleset, viewAt(here, eyes), at);
  by("table").replaceChildren(...(here === game.steps.length - 1 ? [result(), ...table] : table).filter(Boolean));
  by("slider").value = here;
  by("slider").setAttribute("aria-valuetext", `${place(step)}: ${saidAt(here, eyes)[0]}`);
  for (const [id, end] of [["first", 0], ["back", 0], ["next", game.steps.length - 1], ["last", game.steps.length - 1]]) by(id).disabled = here === end;
  mark();
  if (!keep) history.replaceState(null, "", `#event=${step.event}&eyes=${eyes}`);
}

function result() {
  if (!game.result) return null;
  const lines = [];
  let before = 0;
  for (const seats of game.result.ranking) {
    for (const seat of seats) {
      const score = game.result.scores[seat];
      lines.push(el("li", "", el("b", "", `${before + 1}. `), el("bdi", "", game.names[seat]), score ? `: ${score}` : ""));
    }
    before += seats.length;
  }
  return el("section", "result", el("h2", "", "The result"), el("ul", "", ...lines));
}

/** The course of the game as a list; every line leads to its step. */
function list() {
  const eyes = by("eyes").value;
  const items = game.steps.map((step, index) => {
    const button = el("button", "", el("span", "number", step.first === undefined ? "·" : `${step.first}`), el("span", "", ...rich(saidAt(index, eyes).join(" "))));
    button.type = "button";
    button.addEventListener("click", () => { stop(); show(index); });
    return el("li", "", button);
  });
  by("list").replaceChildren(...items);
}

function mark() {
  const old = by("list").querySelector("[aria-current]");
  if (old) old.removeAttribute("aria-current");
  const item = by("list").children[here];
  item.setAttribute("aria-current", "step");
  const box = by("list");
  box.scrollTop = item.offsetTop - box.offsetTop - box.clientHeight / 3;
}

function stop() {
  clearInterval(timer);
  timer = null;
  by("play").textContent = "Play";
}

function play() {
  if (timer !== null) { stop(); return; }
  if (here === game.steps.length - 1) show(0);
  by("play").textContent = "Pause";
  timer = setInterval(() => { if (here === game.steps.length - 1) stop(); else show(here + 1); }, PACE);
}

function go(index) {
  stop();
  show(index);
}

/** Read `#move=17&eyes=2` or `#event=41`. */
function fromHash() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const eyes = wanted.get("eyes");
  if (eyes !== null && [...by("eyes").options].some((option) => option.value === eyes) && by("eyes").value !== eyes) {
    by("eyes").value = eyes;
    list();
  }
  let found = here;
  if (wanted.has("event")) found = game.steps.findLastIndex((step) => step.event <= Number(wanted.get("event")));
  else if (wanted.has("move")) found = game.steps.findIndex((step) => !step.back && step.move >= Number(wanted.get("move")));
  show(found < 0 ? (wanted.has("event") ? 0 : game.steps.length - 1) : found, { keep: true });
}

const KEYS = { ArrowLeft: () => go(here - 1), ArrowRight: () => go(here + 1), Home: () => go(0), End: () => go(game.steps.length - 1), " ": play };

function onKey(event) {
  const name = event.target.tagName;
  const taken = name === "SELECT" || (name === "INPUT" && event.key !== " ") || (event.key === " " && (name === "BUTTON" || name === "SUMMARY"));
  if (taken || event.altKey || event.ctrlKey || event.metaKey || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
}

function begin() {
  by("controls").hidden = false;
  if (game.begin === "end") here = game.steps.length - 1;
  by("players").replaceChildren(`${game.names.length} players: `, ...game.names.flatMap((name, seat) => [seat ? ", " : "", el("bdi", "", name)]), ` · game ${game.game} · ${game.status}`);
  const options = [["none", "an observer"], ...game.eyes.map((seat) => [String(seat), game.names[seat]])];
  if (game.eyes.length > 1) options.unshift(["all", "everybody, open cards"]);
  by("eyes").append(...options.map(([value, text]) => new Option(text, value)));
  by("eyes").parentElement.hidden = options.length < 2;
  if (game.looks !== null) by("eyes").value = String(game.looks);
  by("slider").max = game.steps.length - 1;
  by("slider").addEventListener("input", () => go(Number(by("slider").value)));
  by("eyes").addEventListener("change", () => { list(); show(here); });
  for (const [id, act] of [["first", KEYS.Home], ["back", KEYS.ArrowLeft], ["play", play], ["next", KEYS.ArrowRight], ["last", KEYS.End]]) by(id).addEventListener("click", act);
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", fromHash);
  list();
  fromHash();
}

/** The data of a long game is compressed: deflate, in base64. */
async function unpacked(text) {
  if (text.startsWith("{")) return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

unpacked(document.getElementById("data").textContent).then((found) => {
  game = found;
  begin();
}, () => { if (!by("where").textContent) by("where").textContent = "This game is long, and your browser is too old to unpack it."; });
