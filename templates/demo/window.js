// New mails appear by themselves; who waits for the next one is taken to it. Without scripts: reload.
"use strict";
const page = document.body.dataset;
const words = document.querySelector("#words");
const newest = document.querySelector("#newest");
const PAUSE = 400;
let failures = 0;

async function look() {
  try {
    const state = await (await fetch(`/${page.box}/state?known=${page.letters}`)).json();
    failures = 0;
    const hasMore = state.letters > Number(page.letters);
    const types = words && words.value !== "";
    if ("follows" in page && !types) {
      if (hasMore) return location.assign(`/${page.box}/${state.next}?known=${state.letters}`);
      if (state.over && !("over" in page)) return location.reload();
    }
    if (hasMore && newest) {
      newest.firstElementChild.href = `/${page.box}/${state.letters}`;
      newest.hidden = false;
    }
    if (String(state.version) !== page.version) await renew(state);
  } catch {
    failures += 1;
  }
  if (failures < 5) setTimeout(look, PAUSE);
  else closed();
}

async function renew(state) {
  const answer = await fetch(`/${page.box}/list?open=${page.open}`);
  const list = document.querySelector(".letters");
  const place = list ? list.scrollTop : 0;
  document.querySelector("#lists").innerHTML = await answer.text();
  const renewed = document.querySelector(".letters");
  if (renewed) renewed.scrollTop = place;
  page.version = state.version;
}

function closed() {
  const note = document.createElement("p");
  note.id = "closed";
  note.textContent = "The post office has closed.";
  document.body.append(note);
}

if (words) {
  words.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      words.form.requestSubmit();
    }
  });
}
look();
