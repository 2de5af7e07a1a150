// Who plays: a person or an agent for every seat, with its budget.

import { h } from "./dom.js";

/** Under which name the window keeps who plays a game. @param {import("./match.js").Match} match */
const kept = (match) => `seats ${match.table.name}`;

/** Seats those who sat there before, in this window: other options or loading the page anew change nothing about them. @param {import("./match.js").Match} match */
export function seatAsBefore(match) {
  const before = JSON.parse(sessionStorage.getItem(kept(match)) ?? "[]");
  match.seats.forEach((seat, index) => Object.assign(seat, before[index]));
}

/** @param {import("./match.js").Match} match */
const keep = (match) => sessionStorage.setItem(kept(match), JSON.stringify(match.seats));

/** @param {import("./main.js").House} house @param {import("./match.js").Match} match */
export function seatsPanel(house, match) {
  const names = `agents-${match.table.id}`;
  const rows = match.seats.map((seat, index) => row(match, seat, index, names));
  return h("div.seats.panel", {}, rows, h("datalist", { id: names }, house.about.agents.map((agent) => h("option", { value: agent }))));
}

/** What the pieces of a seat look like. @param {import("./match.js").Match} match @param {number} index */
function token(match, index) {
  const mark = h("span.mark", { "aria-hidden": "true" });
  mark.innerHTML = match.table.tokens[index] ?? "";
  return mark;
}

/** @param {import("./match.js").Match} match @param {import("./match.js").Seat} seat @param {number} index @param {string} names */
function row(match, seat, index, names) {
  const name = match.table.seats[index] ?? `P${index + 1}`;
  const agent = h("input.agent", { value: seat.agent, list: names, "aria-label": `Agent of ${name}`, hidden: seat.human,
    onchange: () => { seat.agent = agent.value.trim() || seat.agent; keep(match); match.refresh(); } });
  const budget = h("select.budget", { "aria-label": `Budget of ${name}`, hidden: seat.human, onchange: () => { seat.budget = JSON.parse(budget.value); keep(match); } },
    [["0.1 s", { seconds: 0.1 }], ["1 s", { seconds: 1 }], ["5 s", { seconds: 5 }], ["30 s", { seconds: 30 }],
      ["100 simulations", { simulations: 100 }], ["1,000 simulations", { simulations: 1000 }], ["10,000 simulations", { simulations: 10000 }], ["100,000 simulations", { simulations: 100000 }]]
      .map(([text, value]) => h("option", { value: JSON.stringify(value), selected: JSON.stringify(value) === JSON.stringify(seat.budget) }, String(text))));
  const kind = h("select", { "aria-label": `Who plays ${name}`, onchange: () => {
    seat.human = kind.value === "human";
    agent.hidden = budget.hidden = seat.human;
    keep(match);
    match.refresh();
  } }, h("option", { value: "human", selected: seat.human }, "Person"), h("option", { value: "agent", selected: !seat.human }, "Agent"));
  const played = /** @type {any} */ (seat).played;
  if (played) return h("div.seat", { dataset: { seat: String(index) } }, token(match, index), h("span.name", {}, name), h("span", {}, played));
  return h("div.seat", { dataset: { seat: String(index) } }, token(match, index), h("span.name", {}, name), kind, agent, budget);
}
