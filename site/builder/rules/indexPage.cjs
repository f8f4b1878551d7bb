"use strict";
// The map of the rules: a table in which each rule stands below the closest one, with the fields in which the two differ.

const { escape, page, shortNumbers } = require("../page.cjs");
const { graph } = require("./graph.cjs");

/** A choice's value in a few letters: what stands before its numbers. */
const kindOf = (cell) => /^[^\d,;(≤±.]+/.exec(cell)?.[0].trim() || cell;

/** The columns that are fields of a rule, with their place in its cells. */
const fieldsOf = (columns) => columns.map((name, i) => ({ name, i })).filter(({ name }) => name !== "update");

const choicesOf = (rule, fields) => fields.map(({ name, i }) => `${name}: ${kindOf(rule.cells[i])}`);

const option = (value, text = value) => `<option value="${escape(value)}">${escape(text)}</option>`;

const select = (id, label, options) =>
  `<label><span>${label}</span><select id="${id}" name="${id}">${option("any")}${options}</select></label>`;

function filters(rules, fields) {
  const count = (values) => {
    const found = new Map();
    for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
    return [...found];
  };
  const groups = count(rules.map(({ group }) => group)).map(([name, n]) => option(name, `${name} (${n})`));
  const years = count(rules.map(({ year }) => String(year ?? "none")))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([year, n]) => option(year, `${year === "none" ? "no paper" : year} (${n})`));
  const choices = fields.map(({ name, i }) => {
    const values = count(rules.map(({ cells }) => kindOf(cells[i]))).sort(([, a], [, b]) => b - a);
    const options = values.map(([value, n]) => option(`${name}: ${value}`, `${name}: ${value} (${n})`));
    return `<optgroup label="${escape(name)}">${options.join("")}</optgroup>`;
  });
  return `<form id="filters" class="filters" role="search" aria-label="Filter the rules" hidden>
<label class="wide"><span>name or paper</span><input type="search" id="words" autocomplete="off" placeholder="DAPO, 2503.14476, verl"></label>
${select("group", "group", groups.join(""))}
${select("year", "year", years.join(""))}
${select("choice", "field", choices.join(""))}
<p role="status" id="count"></p>
</form>`;
}

/** The fields in which a rule differs from the one above it, each with the rule's value. */
function stepOf({ step, parent, cells }, columns, rules) {
  if (step === undefined) return '<span class="from">where the map begins</span>';
  const above = rules.find(({ name }) => name === parent);
  const cellOf = (field) => {
    const i = columns.indexOf(field);
    if (i >= 0 && cells[i] !== above.cells[i]) return cells[i];
    // The label leaves out what differs, or is one of several fields: the option itself says it.
    const options = step.between.filter(({ field: name }) => name.split(".")[0] === field);
    const option = options.find(({ values }) => values[1] !== "–") ?? options[0];
    return `${option.field.split(".").slice(1).join(".")} ${option.values[1]}`.trim();
  };
  const chips = step.fields.map((field) => {
    const cell = cellOf(field);
    return `<span class="chip"><b>${escape(field)}</b> ${escape(shortNumbers(cell))}</span>`;
  });
  const text =
    chips.length === 0 ? '<span class="chip">the same rule, another schedule</span>' : chips.join(" ");
  return `<span class="from">from ${escape(above.title)}:</span> ${text}`;
}

function line(rule, { columns, fields, rules }) {
  const facts = {
    words: [rule.title, rule.name, rule.source, rule.group, rule.year].join(" ").toLowerCase(),
    group: rule.group,
    year: String(rule.year ?? "none"),
    choices: choicesOf(rule, fields),
  };
  return `<tr role="row" data-rule="${rule.name}" data-facts="${escape(JSON.stringify(facts))}" style="--depth:${Math.min(rule.depth, 6)}">
<th scope="row" role="rowheader"><a href="${rule.name}/">${escape(rule.title)}</a></th>
<td role="cell">${stepOf(rule, columns, rules)}</td>
<td class="when" role="cell">${rule.year ?? ""}</td>
<td class="group" role="cell">${escape(rule.group)}</td>
</tr>`;
}

/** The page as HTML. A narrow one shows the table as a list, where only roles keep it a table. */
function indexPage({ rules, columns }) {
  const fields = fieldsOf(columns);
  const ordered = [...rules].sort((a, b) => a.place - b.place);
  const alone = rules.filter(({ step }) => step !== undefined && step.fields.length <= 1).length;
  return page({
    title: "Map of the update rules: GRPO, PPO, DAPO, GSPO and their relatives",
    up: "../",
    description: `${rules.length} update rules of reinforcement learning for language agents, each next to the rule that it differs least from: equations, sources by file and line, checks, measured curves and trainer flags.`,
    main: `<main class="view rules">
<link rel="stylesheet" href="../views.css">
<link rel="stylesheet" href="../rules.css">
<nav class="small" aria-label="Breadcrumb"><a href="../">turnwise</a></nav>
<p id="refused" role="alert" hidden></p>
<h1>Map of the update rules</h1>
<p class="soft">${rules.length} rules of reinforcement learning for language agents. Each stands below the rule that it differs least from, with the fields in which the two differ: ${alone} are one field away. The first is GRPO, the usual rule, which judges each try by its group: the tries at the same task. <a href="../board/">Change a field and see what it does</a>.</p>
${filters(rules, fields)}
${graph(rules)}
<table class="map" role="table">
<caption class="hidden">The rules, each below its closest relative</caption>
<thead role="rowgroup"><tr role="row">${["rule", "differs in", "year", "group"].map((head) => `<th scope="col" role="columnheader">${head}</th>`).join("")}</tr></thead>
<tbody role="rowgroup">
${ordered.map((rule) => line(rule, { columns, fields, rules })).join("\n")}
</tbody>
</table>
<script type="module" src="rules.js"></script>
</main>`,
  });
}

module.exports = { indexPage: indexPage, kindOf: kindOf };
