"use strict";
// The page of a rule: all that the library knows about it.

const { escape, page } = require("../page.cjs");
const { equation } = require("./math.cjs");
const { linkedSource } = require("./sources.cjs");

/** Text with its `code` marked. */
const prose = (text) => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>");

const list = (items) => `<ul>${items.map((item) => `<li>${prose(item)}</li>`).join("")}</ul>`;

const section = (id, title, html) => `<section><h2 id="${id}">${title}</h2>${html}</section>`;

/** A table that scrolls by itself where it is wider than the page, also by keyboard. */
const table = (label, head, rows) =>
  `<div class="scroll" role="region" aria-label="${escape(label)}" tabindex="0"><table><thead><tr>${head
    .map((cell) => `<th scope="col">${cell}</th>`)
    .join(
      "",
    )}</tr></thead><tbody>${rows.map((row) => `<tr>${row.join("")}</tr>`).join("")}</tbody></table></div>`;

const th = (text) => `<th scope="row">${text}</th>`;
const td = (html) => `<td>${html}</td>`;
const number = (text) => `<td class="number">${text}</td>`;

const linkTo = (name, titles) => `<a href="../${name}/">${escape(titles[name])}</a>`;

/** Fields of a rule beside GRPO's, those that differ marked. */
function fields(rule, grpo, columns) {
  const isGrpo = rule.name === "grpo";
  const rows = columns.map((column, i) => {
    const differs = rule.cells[i] !== grpo.cells[i];
    const own = differs ? `<mark>${prose(rule.cells[i])}</mark>` : prose(rule.cells[i]);
    return [
      th(escape(column)),
      td(own),
      ...(isGrpo ? [] : [td(differs ? prose(grpo.cells[i]) : "the same")]),
    ];
  });
  return table("Fields of the rule", ["field", "this rule", ...(isGrpo ? [] : ["GRPO"])], rows);
}

/** The differences between two rules, without the options that only the first one's choice has; a group that is on says so. */
function told(differences) {
  const isOff = (values) => values.includes("off") && values.includes("–");
  return differences
    .filter(({ field, values }) => !field.startsWith("update") && (values[1] !== "–" || isOff(values)))
    .map(({ field, values }) => ({
      field,
      values: isOff(values) ? values.map((text) => (text === "–" ? "on" : text)) : values,
    }));
}

function fromGrpo({ fromGrpo: all, name }) {
  if (name === "grpo") return "";
  const differences = told(all);
  if (differences.length === 0) return "<p>It is GRPO, on another schedule of steps.</p>";
  const rows = differences.map(({ field, values: [grpo, own] }) => [
    th(escape(field)),
    td(prose(own)),
    td(grpo === "–" ? "" : prose(grpo)),
  ]);
  return table("Differences from GRPO", ["field", "this rule", "GRPO"], rows);
}

function neighbors(rule, titles) {
  const near = rule.near.map(({ name, between }) => {
    const words = told(between).map(({ field, values: [own, other] }) =>
      own === "–" ? `${field} ${other}` : `${field} ${other} instead of ${own}`,
    );
    return `<li>${linkTo(name, titles)}: ${words.length === 0 ? "the same rule, on another schedule of steps" : escape(words.join(", "))}</li>`;
  });
  if (near.length > 0) return `<ul>${near.join("")}</ul>`;
  const to =
    rule.parent === undefined
      ? ""
      : ` The closest is ${linkTo(rule.parent, titles)}, in ${escape(rule.step.fields.join(", "))}.`;
  return `<p>No other rule differs from it in one field alone.${to}</p>`;
}

/** The schedule of a rule's steps next to GRPO's: where it differs, a curve shows more than the rule. */
function schedule(rule) {
  const differences = rule.fromGrpo.filter(({ field }) => field.startsWith("update."));
  if (differences.length === 0) return "";
  const words = differences.map(
    ({ field, values: [grpo, own] }) =>
      `<code>${escape(field)}</code> ${escape(own)} (GRPO: ${escape(grpo)})`,
  );
  return `<p class="schedule">Not the rule alone: its steps differ from GRPO’s, too. ${words.join(", ")}.</p>`;
}

function curve(rule, { curves }, drawn) {
  const runs = curves.runs[rule.name];
  if (runs === undefined) return "<p>Not measured yet.</p>";
  return `<figure id="curve" data-rule="${rule.name}">
<div class="picture">${drawn}</div>
<figcaption><span class="key first">${escape(rule.title)}</span> <span class="key second" id="key">${rule.name === "grpo" ? "PPO with GAE" : "GRPO"}</span></figcaption>
</figure>
<p class="pick" id="pick" hidden></p>
<p class="small">Exact return on ${curves.env} (optimum 1) after every fifth of ${curves.updates.at(-1)} updates, default settings and the rule's own step sizes; seeds ${curves.seeds.join(", ")}, all shown, the mean thick. Five seeds tell large differences only.</p>`;
}

const signed = (x) => x.toFixed(3).replace("-", "−");

function board(rule, { board: { runs, worlds, budget, references } }) {
  const own = runs[rule.name];
  if (own === undefined) return "";
  const rows = worlds.map(({ id, asks }) => {
    const values = own[id].filter(Number.isFinite);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const error = Math.sqrt(
      values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1) / values.length,
    );
    const { random, optimum } = references[id];
    return [
      th(`${id}<br><span class="small">${asks}</span>`),
      number(`${signed(mean)} ± ${signed(error)}`),
      number(signed(random)),
      number(signed(optimum)),
    ];
  });
  return section(
    "board",
    "In three worlds",
    table("Returns in three worlds", ["world", "return", "random policy", "optimum"], rows) +
      `<p class="small">Exact return after ${budget.updates} updates of 64 trajectories, mean and standard error over seeds ${budget.seeds[0]} to ${budget.seeds.at(-1)}. <a href="../../board/#rule=${rule.name}">Change a field of it on the board</a>.</p>`,
  );
}

function card(rule, figures) {
  if (rule.card.length === 0) return "<p>Not measured yet.</p>";
  const rows = rule.card.map((record) => [
    th(escape(record.world)),
    ...record.figures.map((text) => number(escape(text))),
  ]);
  const means = figures.map(({ name, about }) => `<dt>${name}</dt><dd>${prose(about)}</dd>`);
  return (
    table("Measured card", ["world", ...figures.map(({ name }) => name)], rows) +
    `<details><summary>Meaning of the figures</summary><dl>${means.join("")}</dl></details>` +
    `<p class="small">One update against the exact gradient of the return: batches of one group of 8, five policies in each world, ± standard error; without one, every group was enumerated.</p>`
  );
}

const signs = {
  passed: ["✓", "holds"],
  failed: ["✗", "a fault"],
  noted: ["!", "look at it"],
  told: ["·", "a fact"],
};

function checks({ checks: findings }) {
  if (findings === undefined) return "<p>Not checked yet.</p>";
  const failed = findings.filter(({ verdict }) => verdict === "failed");
  const rows = findings.map(({ check, verdict, sentence, hint }) => {
    const [sign, words] = signs[verdict];
    return [
      td(`<span class="sign ${verdict}" role="img" aria-label="${words}">${sign}</span>`),
      th(escape(check)),
      td(prose(sentence) + (hint === undefined ? "" : `<br><span class="small">${prose(hint)}</span>`)),
    ];
  });
  const summary =
    failed.length === 0 ? "No fault found." : `Faults: ${failed.map(({ check }) => check).join(", ")}.`;
  return (
    `<p>${summary} <code>checkRule</code> lists every group of four trajectories of three small games.</p>` +
    table("Findings of checkRule", ['<span class="hidden">finding</span>', "check", "sentence"], rows)
  );
}

const lessonOf = (notebook) =>
  notebook.includes("/")
    ? `../../notebooks/index.html?path=notebooks/${notebook}`
    : `../../lessons/${notebook.replace(/\.ipynb$/, "")}/`;

function claims({ claims: all }) {
  if (all.length === 0) return "<p>No lesson of the course makes a claim that names it.</p>";
  const rows = all.map(({ claim, source, measured, verdict, notebook, title }) => {
    const kind = /^(holds if|holds|refuted|no effect|not shown)/.exec(verdict)?.[0] ?? "";
    return `<li><p><b class="verdict ${kind.replace(" ", "-")}">${escape(kind === "holds if" ? "holds in some settings" : verdict)}</b> ${escape(claim)} <span class="small">(${escape(source)})</span></p>
<details><summary>Measured</summary><p>${escape(measured)}</p>${kind === "holds if" ? `<p>${escape(verdict)}</p>` : ""}<p class="small">Lesson <a href="${lessonOf(notebook)}">${escape(title)}</a></p></details></li>`;
  });
  return `<p class="small">Claims of the course's lessons that name it or its paper.</p><ul class="claims">${rows.join("")}</ul>`;
}

function flags({ flags: all }) {
  return all
    .map(({ framework, version, text, unsupported, notes }) => {
      const idle =
        unsupported.length === 0
          ? "all of the rule"
          : `all but ${unsupported.length} ${unsupported.length === 1 ? "field" : "fields"}`;
      const missing = unsupported.map(
        ({ field, expected, actual, why }) =>
          `${field} is ${expected} in the rule, ${actual} in ${framework}${why === undefined ? "" : ` (${why})`}`,
      );
      return `<details><summary>${escape(framework)} ${escape(version)}: ${idle}</summary>
<pre tabindex="0" role="region" aria-label="Flags of ${escape(framework)}"><code>${escape(text)}</code></pre>
${missing.length === 0 ? "" : `<p>Not expressed:</p>${list(missing)}`}${list(notes)}</details>`;
    })
    .join("");
}

function trainHere(name, hasPlay) {
  if (hasPlay) return `<a class="go" href="../../play/?recipe=${name}#runs=${name}">Train it here</a>`;
  return `<a class="go" href="../../board/#rule=${name}">Train it on the board</a>`;
}

/** The page of a rule as HTML. `drawn` is its learning curve. */
function rulePage(rule, facts, { drawn, hasPlay }) {
  const { rules, columns, evidence, figures } = facts;
  const titles = Object.fromEntries(rules.map(({ name, title }) => [name, title]));
  const grpo = rules.find(({ name }) => name === "grpo");
  const differing = [
    ...new Set(
      rule.fromGrpo
        .filter(({ field }) => !field.startsWith("update"))
        .map(({ field }) => field.split(".")[0]),
    ),
  ];
  const difference =
    rule.name === "grpo"
      ? ""
      : differing.length === 0
        ? "GRPO on another schedule. "
        : `Differs from GRPO in ${differing.join(", ")}. `;
  const tags = Object.entries(evidence).filter(([tag]) =>
    [rule.source, ...rule.deviations, ...rule.shown].some((text) => text.includes(`[${tag}]`)),
  );
  return page({
    title: `${rule.title}: equation, code, flags and measured curve`,
    up: "../../",
    description: `${rule.title} as an update rule${rule.year === undefined ? "" : ` (${rule.year})`}. ${difference}Equation, source by file and line, checks, measured learning curve, and flags for verl, TRL and OpenRLHF.`,
    main: `<main class="view rule">
<link rel="stylesheet" href="../../views.css">
<link rel="stylesheet" href="../../rules.css">
<link rel="stylesheet" href="../katex/katex.min.css">
<nav class="small" aria-label="Breadcrumb"><a href="../../">turnwise</a> › <a href="../">Map of the rules</a></nav>
<p id="refused" role="alert" hidden></p>
<h1>${escape(rule.title)}</h1>
<p class="soft"><code>recipe("${rule.name}")</code> · ${escape(rule.group)}${rule.year === undefined ? "" : ` · ${rule.year}`}. ${escape(difference)}</p>
<p class="bar">${trainHere(rule.name, hasPlay)} <a href="../../board/#rule=${rule.name}">Change a field</a></p>
${section("equation", "Equation", equation(rule.equation))}
${section("source", "Source", `<p>${linkedSource(rule.source)}</p>${tags.length === 0 ? "" : `<p class="small">${tags.map(([tag, meaning]) => `[${tag}] ${escape(meaning)}`).join("; ")}</p>`}`)}
${rule.deviations.length === 0 ? "" : section("departures", "Departures from the source", list(rule.deviations))}
${rule.name === "grpo" ? "" : section("grpo", "Differences from GRPO", fromGrpo(rule))}
${section("near", "One field away", neighbors(rule, titles))}
${section("learning", "Learning curve", schedule(rule) + curve(rule, facts, drawn))}
${board(rule, facts)}
${section("fields", "All fields", fields(rule, grpo, columns))}
${section("flags", "In verl, TRL and OpenRLHF", flags(rule))}
${section("checks", "Checks", checks(rule))}
${section("card", "Measured card", card(rule, figures))}
${section("claims", "Claims and verdicts", claims(rule))}
${rule.shown.length === 0 ? "" : section("shown", "Shown by exact computation or tests", list(rule.shown))}
<script type="module" src="../rule.js"></script>
</main>`,
  });
}

module.exports = { rulePage: rulePage };
