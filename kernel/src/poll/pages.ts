import { createHash } from "node:crypto";
import { escapeHtml } from "../display/html.js";
import { markdownToHtml } from "../runner/page/markdown.js";
import type { Poll } from "./poll.js";

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e8eaed); --quiet: light-dark(#555d68, #a9b1bb);
  --paper: light-dark(#fff, #15181d); --panel: light-dark(#f4f6fa, #20252d); --edge: light-dark(#8a929c, #6b7480);
  --bar: light-dark(#bcd3f7, #2d4f86); --link: light-dark(#0b57a4, #86b8f5); --right: light-dark(#1a7f4b, #63d297); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 44rem; padding: 1rem; background: var(--paper); color: var(--ink); font: 1.1rem/1.45 system-ui, sans-serif; }
body.present { max-width: 76rem; font-size: 1.5rem; }
h1 { margin: 0.4rem 0 1rem; font-size: 1.15em; font-weight: 600; }
h1 p { margin: 0 0 0.4rem; }
.place, .note { margin: 0; color: var(--quiet); font-size: 0.85em; }
.note { margin-top: 0.6rem; }
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.6rem; }
button { font: inherit; color: inherit; text-align: left; cursor: pointer; border: 2px solid var(--edge); border-radius: 10px;
  background: var(--panel); padding: 0.7rem 1rem; min-height: 48px; }
ol button { width: 100%; }
button[aria-pressed="true"] { border-color: var(--link); border-width: 4px; padding: calc(0.7rem - 2px) calc(1rem - 2px); font-weight: 600; }
button:disabled { cursor: default; opacity: 0.6; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.choice { position: relative; overflow: hidden; border: 2px solid var(--edge); border-radius: 10px; padding: 0.5rem 1rem; display: flex;
  justify-content: space-between; gap: 1rem; }
.choice > * { position: relative; }
.choice .bar { position: absolute; inset: 0 auto 0 0; background: var(--bar); }
.choice.right { border-color: var(--right); border-width: 4px; }
.count { font-variant-numeric: tabular-nums; white-space: nowrap; }
.steps { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 1rem 0; font-size: 1.1rem; }
.sides { display: grid; grid-template-columns: 1fr 19rem; gap: 2rem; align-items: start; }
.join { text-align: center; overflow-wrap: anywhere; font-size: 1.1rem; }
.join svg { display: block; width: 100%; height: auto; border-radius: 8px; background: #fff; }
.join b { display: block; margin-top: 0.4rem; font-size: 1.25rem; }
@media (max-width: 50rem) { .sides { grid-template-columns: 1fr; } body.present { font-size: 1.15rem; } .join svg { max-width: 15rem; margin: 0 auto; } }
`;

const inline = (markdown: string): string => markdownToHtml(markdown).replace(/^\s*<p>([^]*)<\/p>\s*$/, "$1");
const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Reloads a page when the presenter has gone on, and after the connection was lost. */
const following = `
const state = document.body.dataset.state;
const events = new EventSource("events");
events.onmessage = ({ data }) => { if (data !== state) location.reload(); };`;

/** Reloads the presenter's page when another question or its results are shown; counts change in place. */
const presenting = `
const state = document.body.dataset.state;
const events = new EventSource("events" + location.search);
events.onmessage = ({ data }) => {
  const now = JSON.parse(data);
  if (now.state !== state) return location.reload();
  document.getElementById("votes").textContent = now.votes;
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button")) return;
  const key = { ArrowRight: "next", PageDown: "next", ArrowLeft: "previous", PageUp: "previous", " ": "reveal", r: "reveal" }[event.key];
  const button = key && document.querySelector('button[value="' + key + '"]:enabled');
  if (button) { event.preventDefault(); button.click(); }
});`;

/** Policy of the pages: their own scripts and styles, forms and connections to this server, and nothing else. */
export const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src ${hash(following)} ${hash(presenting)}`,
  "connect-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = (o: {
  title: string;
  state: string;
  present?: boolean;
  body: string;
  script: string;
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(o.title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body${o.present ? ' class="present"' : ""} data-state="${escapeHtml(o.state)}">
<main>${o.body}</main>
<script>${o.script}</script>
</body>
</html>
`;

/** Changes when a student's page must be drawn again. */
export const stateOf = (poll: Poll): string =>
  `${String(poll.index)} ${poll.shown === "nothing" ? "open" : "closed"}`;

const numberOf = (poll: Poll): string =>
  poll.questions.length === 1 ? "" : `Question ${String(poll.index + 1)} of ${String(poll.questions.length)}`;

const heading = (poll: Poll): string => {
  const { place, question } = poll.question;
  const above = [place, numberOf(poll)].filter(Boolean).map(escapeHtml).join(" · ");
  return `<p class="place">${above}</p><h1>${question === "" ? "Your choice" : inline(question)}</h1>`;
};

/** The page of a student: the choices as buttons, which work without a script. */
export function studentPage(poll: Poll, voter: string): string {
  const isOpen = poll.shown === "nothing";
  const chosen = poll.choiceOf(voter);
  const choices = poll.question.choices.map(
    ({ letter, text }) =>
      `<li><button name="choice" value="${letter}" aria-pressed="${String(letter === chosen)}"${isOpen ? "" : " disabled"}>` +
      `(${letter}) ${inline(text)}</button></li>`,
  );
  const note = isOpen
    ? chosen === undefined
      ? "Choose one. Nobody sees who chose what."
      : `You chose (${chosen}). You can change it until the results are shown.`
    : chosen === undefined
      ? "The vote is over: look at the screen in front."
      : `You chose (${chosen}). Look at the screen in front.`;
  return page({
    title: "Vote",
    state: stateOf(poll),
    script: following,
    body:
      `${heading(poll)}<form method="post" action="vote"><input type="hidden" name="question" value="${String(poll.index)}">` +
      `<ol>${choices.join("")}</ol></form><p class="note" role="status">${note}</p>` +
      `<noscript><p class="note">Reload this page for the next question.</p></noscript>`,
  });
}

const votes = (n: number): string => `${String(n)} ${n === 1 ? "vote" : "votes"}`;

/** State of the presenter's page, and the text that changes in place. */
export const presenterState = (poll: Poll): string =>
  JSON.stringify({ state: `${String(poll.index)} ${poll.shown}`, votes: votes(poll.total) });

/** The page of the presenter; bars are shown when the results are. */
export function presenterPage(
  poll: Poll,
  o: { key: string; address: string; code: string | undefined },
): string {
  const { shown, counts, total, question } = poll;
  const choices = question.choices.map(({ letter, text }, i) => {
    const share = total === 0 ? 0 : (100 * counts[i]!) / total;
    const isRight = shown === "answer" && letter === question.answer;
    const bar = shown === "nothing" ? "" : `<span class="bar" style="width: ${share.toFixed(1)}%"></span>`;
    const count =
      shown === "nothing" ? "" : `<span class="count">${String(counts[i])} (${share.toFixed(0)}%)</span>`;
    return (
      `<li class="choice${isRight ? " right" : ""}">${bar}<span>(${letter}) ${inline(text)}` +
      `${isRight ? " ✓ right" : ""}</span>${count}</li>`
    );
  });
  const step = (name: string, label: string, isOn: boolean): string =>
    `<button name="do" value="${name}"${isOn ? "" : " disabled"}>${label}</button>`;
  const controls = [
    step("previous", "Previous", poll.index > 0),
    shown === "nothing" ? step("reveal", "Show the results", true) : "",
    shown === "results" && question.answer !== undefined ? step("answer", "Mark the right answer", true) : "",
    shown === "nothing" ? "" : step("again", "Vote again", true),
    step("next", "Next", poll.index + 1 < poll.questions.length),
  ];
  const { state } = JSON.parse(presenterState(poll)) as { state: string };
  return page({
    title: "Poll",
    state,
    present: true,
    script: presenting,
    body:
      `<div class="sides"><div>${heading(poll)}<ol>${choices.join("")}</ol>` +
      `<p class="note"><span id="votes" role="status">${votes(total)}</span></p>` +
      `<form method="post" action="present?key=${encodeURIComponent(o.key)}" class="steps">` +
      `<input type="hidden" name="question" value="${String(poll.index)}">${controls.join("")}</form></div>` +
      `<div class="join">${o.code ?? ""}<b>${escapeHtml(o.address)}</b>open it or scan the code</div></div>`,
  });
}
