"use strict";
// The page of a rule: all that the library knows about it.

const { escape, page, shortNumbers } = require("../page.cjs");
const { equation, equationAsMathml } = require("./math.cjs");
const { linkedSource } = require("./sources.cjs");
// Compiled by then: a site is built after the packages.
const { scheduleHtml } = require("turnwise-site/internal/views/rules/schedule");
const { firstBeside } = require("turnwise-site/internal/views/rules/stored");

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

const lessonOf = (notebook) =>
  notebook.includes("/")
    ? `../../notebooks/index.html?path=notebooks/${notebook}`
    : `../../lessons/${notebook.replace(/\.ipynb$/, "")}/`;

/** Links and formulas of a rule's sections on a page of the site. */
const onPage = {
  ruleLink: (name) => `../${name}/`,
  lesson: (notebook, title) => `<a href="${lessonOf(notebook)}">${escape(title)}</a>`,
  boardLink: (name) => ` <a href="../../board/#rule=${name}">Change a field of it on the board</a>.`,
  equation,
};

/** The same in a notebook's cell, which has no site around it: another rule is a setting, and formulas bring no fonts. */
const inCell = {
  ruleLink: (name) => `#rule=${name}`,
  lesson: (_, title) => escape(title),
  boardLink: () => "",
  equation: equationAsMathml,
};

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
      values: values.map((text) => (isOff(values) && text === "–" ? "on" : shortNumbers(text))),
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

function neighbors(rule, titles, { ruleLink }) {
  const linkTo = (name) => `<a href="${ruleLink(name)}">${escape(titles[name])}</a>`;
  const near = rule.near.map(({ name, between }) => {
    const words = told(between).map(({ field, values: [own, other] }) =>
      own === "–" ? `${field} ${other}` : `${field} ${other} instead of ${own}`,
    );
    return `<li>${linkTo(name)}: ${words.length === 0 ? "the same rule, on another schedule of steps" : escape(words.join(", "))}</li>`;
  });
  if (near.length > 0) return `<ul>${near.join("")}</ul>`;
  const to =
    rule.parent === undefined
      ? ""
      : ` The closest is ${linkTo(rule.parent)}, in ${escape(rule.step.fields.join(", "))}.`;
  return `<p>No other rule differs from it in one field alone.${to}</p>`;
}

/** The schedule of a rule's steps next to that of the rule whose curve is drawn: where it differs, a curve shows more than the rule. */
function schedule(rule, beside) {
  const html = scheduleHtml(rule.schedule, beside.schedule, beside.title);
  return `<p class="schedule" id="schedule"${html === "" ? " hidden" : ""}>${html}</p>`;
}

function curve(rule, { curves, rules }, drawn) {
  const runs = curves.runs[rule.name];
  if (runs === undefined) return "<p>Not measured yet.</p>";
  const beside = rules.find(({ name }) => name === firstBeside(rule.name));
  return `<figure id="curve" data-rule="${rule.name}">
<div class="picture">${drawn}</div>
<figcaption><span class="key first">${escape(rule.title)}</span> <span class="key second" id="key">${escape(beside.title)}</span></figcaption>
</figure>
<p class="pick" id="pick" hidden></p>
${schedule(rule, beside)}
<p class="small">Exact return on ${curves.env} (optimum 1) after every fifth of ${curves.updates.at(-1)} updates, default settings and the rule's own step sizes; seeds ${curves.seeds.join(", ")}, all shown, the mean thick. Five seeds tell large differences only.</p>`;
}

const signed = (x) =>
  x
    .toFixed(3)
    .replace(/^-0\.000$/, "0.000")
    .replace("-", "−");

function board(rule, { board: { runs, worlds, budget, references } }, { boardLink }) {
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
      `<p class="small">Exact return after ${budget.updates} updates of 64 trajectories, mean and standard error over seeds ${budget.seeds[0]} to ${budget.seeds.at(-1)}.${boardLink(rule.name)}</p>`,
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

function claims({ claims: all }, { lesson }) {
  if (all.length === 0) return "<p>No lesson of the course makes a claim that names it.</p>";
  const rows = all.map(({ claim, source, measured, verdict, notebook, title }) => {
    const kind = /^(holds if|holds|refuted|no effect|not shown)/.exec(verdict)?.[0] ?? "";
    return `<li><p><b class="verdict ${kind.replace(" ", "-")}">${escape(kind === "holds if" ? "holds in some settings" : verdict)}</b> ${escape(claim)} <span class="small">(${escape(source)})</span></p>
<details><summary>Measured</summary><p>${escape(measured)}</p>${kind === "holds if" ? `<p>${escape(verdict)}</p>` : ""}<p class="small">Lesson ${lesson(notebook, title)}</p></details></li>`;
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

/** The fields in which a rule differs from GRPO, in a sentence. */
function differenceOf(rule) {
  const differing = [
    ...new Set(
      rule.fromGrpo
        .filter(({ field }) => !field.startsWith("update"))
        .map(({ field }) => field.split(".")[0]),
    ),
  ];
  return rule.name === "grpo"
    ? ""
    : differing.length === 0
      ? "GRPO on another schedule. "
      : `Differs from GRPO in ${differing.join(", ")}. `;
}

const lead = (rule) =>
  `<p class="soft"><code>recipe("${rule.name}")</code> · ${escape(rule.group)}${rule.year === undefined ? "" : ` · ${rule.year}`}. ${escape(differenceOf(rule))}</p>`;

/** All that is known of a rule, below its title. `place` is `onPage` or `inCell`. */
function sectionsOf(rule, facts, { drawn, place }) {
  const { rules, columns, evidence, figures } = facts;
  const titles = Object.fromEntries(rules.map(({ name, title }) => [name, title]));
  const grpo = rules.find(({ name }) => name === "grpo");
  const tags = Object.entries(evidence).filter(([tag]) =>
    [rule.source, ...rule.deviations, ...rule.shown].some((text) => text.includes(`[${tag}]`)),
  );
  return `${section("equation", "Equation", place.equation(rule.equation))}
${section("source", "Source", `<p>${linkedSource(rule.source)}</p>${tags.length === 0 ? "" : `<p class="small">${tags.map(([tag, meaning]) => `[${tag}] ${escape(meaning)}`).join("; ")}</p>`}`)}
${rule.deviations.length === 0 ? "" : section("departures", "Departures from the source", list(rule.deviations))}
${rule.name === "grpo" ? "" : section("grpo", "Differences from GRPO", fromGrpo(rule))}
${section("near", "One field away", neighbors(rule, titles, place))}
${section("learning", "Learning curve", curve(rule, facts, drawn))}
${board(rule, facts, place)}
${section("fields", "All fields", fields(rule, grpo, columns))}
${section("flags", "In verl, TRL and OpenRLHF", flags(rule))}
${section("checks", "Checks", checks(rule))}
${section("card", "Measured card", card(rule, figures))}
${section("claims", "Claims and verdicts", claims(rule, place))}
${rule.shown.length === 0 ? "" : section("shown", "Shown by exact computation or tests", list(rule.shown))}`;
}

/** Links to the sections of a page. */
function jumps(html) {
  const links = [...html.matchAll(/<h2 id="(\w+)">([^<]*)<\/h2>/g)].map(
    ([, id, title]) => `<a href="#${id}">${title}</a>`,
  );
  return `<nav class="small jump" aria-label="On this page">${links.join("")}</nav>`;
}

/** A rule as a notebook's cell shows it; the curve is drawn there. */
const ruleCell = (rule, facts) => lead(rule) + sectionsOf(rule, facts, { drawn: "", place: inCell });

/** The page of a rule as HTML. `drawn` is its learning curve. */
function rulePage(rule, facts, { drawn, hasPlay }) {
  const sections = sectionsOf(rule, facts, { drawn, place: onPage });
  return page({
    title: `${rule.title}: equation, code, flags and measured curve`,
    up: "../../",
    description: `${rule.title} as an update rule${rule.year === undefined ? "" : ` (${rule.year})`}. ${differenceOf(rule)}Equation, source by file and line, checks, measured learning curve, and flags for verl, TRL and OpenRLHF.`,
    main: `<main class="view rule">
<link rel="stylesheet" href="../../views.css">
<link rel="stylesheet" href="../../rules.css">
<link rel="stylesheet" href="../katex/katex.min.css">
<nav class="small" aria-label="Breadcrumb"><a href="../../">turnwise</a> › <a href="../">Map of the rules</a></nav>
<p id="refused" role="alert" hidden></p>
<h1>${escape(rule.title)}</h1>
${lead(rule)}
<p class="bar">${trainHere(rule.name, hasPlay)} <a href="../../board/#rule=${rule.name}">Change a field</a></p>
${jumps(sections)}
${sections}
<script type="module" src="../rule.js"></script>
</main>`,
  });
}

module.exports = { ruleCell: ruleCell, rulePage: rulePage };
