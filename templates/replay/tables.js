"use strict";

/* The table of each game, from a view as the engine gives it. `at` says whose eyes look and who moves:
   { names, eye: seat or null, mover: seat or null }. */

const PILE_SHOWN = 12;

function nameOf(seat, at) {
  return el("bdi", "name", at.names[seat]);
}

/** A labelled row of cards; nothing where there is nothing to show. */
function row(label, content, classes = "") {
  return content === null ? null : el("div", `row ${classes}`, el("span", "label", label), content);
}

function hand(seat) {
  if (seat.hand === null && seat.hand_size) {
    const known = (seat.known || []).length ? drawCards(seat.known, seat.known) : null;
    const hidden = seat.hand_size - (seat.known || []).length;
    return el("span", "hand", known, hidden > 0 ? drawBacks(hidden) : null);
  }
  if (!seat.hand_size) return el("span", "none", "no card");
  return drawCards(seat.hand, seat.known || []);
}

function panel(number, view, at, ...content) {
  const acts = view.to_act.includes(number);
  const classes = ["seat", acts ? "acts" : "", number === at.mover ? "moved" : "", number === at.eye ? "own" : ""];
  const made = el("section", classes.join(" "), el("h3", "", nameOf(number, at), acts ? el("span", "turn", "to move") : null), ...content);
  made.dataset.seat = number;
  return made;
}

/** The seats in order, the one whose eyes look first. */
function seatOrder(view, at) {
  const numbers = view.seats.map((_, number) => number);
  return at.eye === null ? numbers : [...numbers.slice(at.eye), ...numbers.slice(0, at.eye)];
}

/** Say whether a seat has chosen; of others nobody knows that (GEN-6). */
function secretly(seat, chosen) {
  if (seat.hand === null) return "chosen in secret";
  return chosen ? "chosen" : "not chosen yet";
}

function note(text) {
  return el("p", "note", text);
}

/** Cards that are out of the game, folded away. */
function goneCards(view) {
  const count = view.gone.length + (view.gone_hidden || 0);
  if (!count) return null;
  const unseen = view.gone_hidden ? note(`${counted(view.gone_hidden, "card")} nobody saw`) : null;
  return el("details", "gone", el("summary", "", `Out of the game: ${counted(count, "card")}`), drawCards(view.gone), unseen);
}

function stock(view) {
  if (view.stock && view.stock.length) {
    return el("div", "heap", el("span", "label", `Stock, ${view.stock.length}, top first`), drawCards([...view.stock].reverse()));
  }
  const what = view.stock_size ? drawBack(view.stock_size) : el("span", "empty", "empty");
  return el("div", "heap", el("span", "label", "Stock"), what);
}

function pile(label, view) {
  const count = view.pile.length;
  const shown = view.pile.slice(-PILE_SHOWN).reverse();
  const below = count > shown.length ? el("span", "count", `+${count - shown.length}`) : null;
  const cards = count ? el("span", "pile", drawCards(shown), below) : el("span", "empty", "empty");
  return el("div", "heap wide", el("span", "label", `${label}${count ? `, ${count}, top first` : ""}`), cards);
}

/* --- Phyliss and Cathedral ------------------------------------------------------------------------ */

function shedding(view, at) {
  const seats = seatOrder(view, at).map((number) => {
    const seat = view.seats[number];
    if (seat.resigned) return panel(number, view, at, note("left the game"));
    if (seat.out) return panel(number, view, at, note(`rid of all cards: place ${seat.out}`));
    return panel(number, view, at, row("Hand", hand(seat)), ...("up" in seat ? phylissRows(seat) : cathedralRows(seat, view)));
  });
  const middle = el("div", "middle", pile("Pile", view), stock(view));
  const deal = view.deals > 1 ? note(`Deal ${view.deal} of ${view.deals}`) : null;
  return [deal, middle, el("div", "seats", ...seats), goneCards(view)];
}

function phylissRows(seat) {
  const faces = seat.blind_cards ? drawCards(seat.blind_cards) : null;
  const blind = faces || el("span", "cards", ...seat.blind.map((number) => drawBack(number)));
  return [row("Face up", seat.up.length ? drawCards(seat.up) : null), row("Hidden", seat.blind.length ? blind : null)];
}

function cathedralRows(seat, view) {
  if (view.choosing) {
    const chosen = seat.choice ? drawCards(seat.choice) : note(secretly(seat, seat.chosen));
    return [row("Reserve", chosen)];
  }
  if (!seat.reserve_size) return [];
  return [row("Reserve", seat.reserve ? drawCards(seat.reserve) : drawBacks(seat.reserve_size))];
}

/* --- Phase 10 ------------------------------------------------------------------------------------- */

function phase10(view, at) {
  const seats = seatOrder(view, at).map((number) => {
    const seat = view.seats[number];
    const states = [];
    if (seat.resigned) states.push("left the game");
    else if (!seat.in_deal) states.push("not in this hand");
    if (seat.floating) states.push("floats");
    if (seat.skips) states.push("loses the next turn");
    const groups = (view.groups[number] || []).map((group, place) => row(`${number}.${place} ${group.kind}${group.as ? ` as ${group.as}` : ""}`, drawCards(group.cards), "group"));
    const phase = note(`Phase ${seat.phase}: ${seat.phase_words}${seat.laid ? ", laid down" : ""}`);
    if (seat.laid) phase.classList.add("done");
    return panel(number, view, at, phase, states.length ? note(states.join(", ")) : null, ...groups, row("Hand", seat.resigned ? null : hand(seat)));
  });
  const middle = el("div", "middle", pile("Discards", view), stock(view));
  return [note(`Hand ${view.deal}`), middle, el("div", "seats", ...seats), scoreSheet(view, at), goneCards(view)];
}

function scoreSheet(view, at) {
  const head = el("tr", "", el("th", "", "Player"), el("th", "", "Phases done"), el("th", "", "Points"));
  const lines = view.seats.map((seat, number) => {
    const name = el("th", "", nameOf(number, at));
    name.scope = "row";
    return el("tr", "", name, el("td", "", `${seat.completed} of ${view.phases.length}`), el("td", "", `${seat.score}`));
  });
  const made = el("table", "sheet", el("caption", "", "Score sheet"), el("thead", "", head), el("tbody", "", ...lines));
  for (const cell of head.children) cell.scope = "col";
  return made;
}

/* --- Phalanx -------------------------------------------------------------------------------------- */

function phalanx(view, at) {
  const chips = view.pots !== null;
  const seats = seatOrder(view, at).map((number) => {
    const seat = view.seats[number];
    if (seat.eliminated) return panel(number, view, at, note(`out since battle ${seat.eliminated}`));
    const counts = [`${counted(seat.reserve_size, "card")} in reserve`];
    if (seat.aside_size) counts.push(`${seat.aside_size} laid aside`);
    if (chips) counts.push(counted(seat.chips, "chip"));
    if (seat.resigned) counts.push("left the game");
    const opening = seat.choice ? drawCard(seat.choice) : note(secretly(seat, seat.has_chosen));
    return panel(number, view, at, row("Hand", hand(seat)), view.phase === "choosing" && view.ring.includes(number) ? row("Opening", opening) : null, note(counts.join(" · ")));
  });
  const count = view.spoils.length + view.spoils_unseen;
  const spoils = count ? row(`Spoils, ${count}`, el("span", "hand", drawCards(view.spoils), view.spoils_unseen ? drawBacks(view.spoils_unseen) : null)) : null;
  const battle = `Battle ${view.battle}${view.max_battles ? ` of ${view.max_battles}` : ""}`;
  return [note(battle), ring(view, at), spoils, el("div", "seats", ...seats)];
}

/** The zones as they lie: seats around the table, a zone between neighbours, one in the middle.

    Clockwise from the bottom: up on the left, down on the right; the eyes' own seat is nearest. */
function ring(view, at) {
  const size = view.ring.length;
  const turned = Math.max(0, view.ring.indexOf(at.eye));
  const made = el("div", "ring");
  const place = (item, line, column) => {
    item.style.gridRow = line;
    item.style.gridColumn = column;
    made.append(item);
  };
  for (let step = 0; step < 2 * size; step += 1) {
    const seat = view.ring[(turned + Math.floor(step / 2)) % size];
    const next = view.ring[(turned + Math.floor(step / 2) + 1) % size];
    const item = step % 2 ? zone(view, at, `side:${seat}`, [next, seat]) : spot(view, at, seat);
    if (step === 0) place(item, size + 1, 2);
    else if (step === size) place(item, 1, 2);
    else if (step < size) place(item, size + 1 - step, 1);
    else place(item, step - size + 1, 3);
  }
  place(zone(view, at, "center", view.ring), `2 / ${size + 1}`, 2);
  return made;
}

function spot(view, at, seat) {
  const acts = view.to_act.includes(seat) ? " acts" : "";
  return el("div", `spot${acts}${seat === at.mover ? " moved" : ""}`, nameOf(seat, at));
}

function zone(view, at, name, sharers) {
  const lying = view.zones[name] || [];
  const rows = sharers.map((seat) => {
    const own = lying.filter((one) => one.seat === seat);
    const stake = view.pots === null ? 0 : (view.pots[name] || [])[seat];
    if (!own.length && !stake) return null;
    const cards = el("span", "cards small", ...own.map((one) => drawCard(one.card, one.up ? "" : "down")));
    return el("div", "lying", nameOf(seat, at), cards, stake ? el("span", "stake", `${counted(stake, "chip")}`) : null);
  });
  const made = el("div", `zone${name === "center" ? " center" : ""}`, ...rows);
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", name === "center" ? "The middle" : `Zone between ${at.names[sharers[1]]} and ${at.names[sharers[0]]}`);
  made.dataset.zone = name;
  return made;
}

const TABLES = { phyliss: shedding, cathedral: shedding, phalanx, phase10, "phase10-family": phase10 };

/** Draw a view; a game that nobody drew yet is shown as it stands in the log. */
function drawTable(ruleset, view, at) {
  const draw = TABLES[ruleset];
  if (!draw) return [el("pre", "", JSON.stringify(view, null, 1))];
  return draw(view, at).filter((item) => item !== null);
}
