import type { Alarm } from "../monitor";
import { glossary, type MetricName, type Metrics } from "../base/glossary";
import { escapeHtml } from "../plot/escapeHtml";
import { observationHtml } from "../env/grid/drawGrid";
import type { Dialogue } from "./dialogue";

/** What the panel shows. */
export interface PanelState {
  readonly status: string;
  /** Why settings were refused or training failed; empty when all is well. */
  readonly problem: string;
  /** Cells in which the row differs from the recipe of its name. */
  readonly changes: string;
  readonly metrics: Metrics | undefined;
  /** The largest value that each gauge has had. */
  readonly highest: Readonly<Partial<Record<MetricName, number>>>;
  readonly alarms: readonly Alarm[];
  readonly dialogues: readonly Dialogue[];
}

export const gauges = [
  "reward/mean",
  "reward/std",
  "reward/fracZeroStd",
  "policy/entropy",
  "policy/gradNorm",
  "policy/clipFracHigh",
  "policy/clipFracLow",
] as const satisfies readonly MetricName[];

const cells = 10;

/** Filled and empty blocks: readable without colour. */
export function meter(value: number, highest: number): string {
  const share = highest > 0 ? Math.min(1, Math.max(0, value / highest)) : 0;
  const filled = Math.round(share * cells);
  return "█".repeat(filled) + "░".repeat(cells - filled);
}

const left = 'style="text-align:left"';

function gaugeRows({
  metrics,
  highest,
}: PanelState): [name: string, value: string, bar: string, worry: string][] {
  return gauges.flatMap((name): [string, string, string, string][] => {
    const value = metrics?.[name];
    if (value === undefined) return [];
    const { worryWhen } = glossary[name];
    return [[name, value.toFixed(3), meter(value, highest[name] ?? 0), worryWhen]];
  });
}

const alarmText = ({ rule, update, meaning }: Alarm): string => `update ${update}: ${rule}: ${meaning}`;

/** The panel as HTML; all text is escaped, colours are the page's own. */
export function panelHtml(state: PanelState): string {
  const problem =
    state.problem === "" ? "" : `<p role="alert"><strong>⚠ ${escapeHtml(state.problem)}</strong></p>`;
  const rows = gaugeRows(state).map(
    ([name, value, bar, worry]) =>
      `<tr><th scope="row" ${left}>${escapeHtml(name)}</th><td>${value}</td>` +
      `<td><code aria-hidden="true">${bar}</code></td><td ${left}>${escapeHtml(worry)}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? ""
      : `<table><caption>Gauges; a full bar is the highest value so far</caption><thead><tr><th ${left}>metric</th><th>value</th>` +
        `<th></th><th ${left}>look twice when</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  const alarms = state.alarms
    .slice(-3)
    .map((alarm) => `<li>⚠ ${escapeHtml(alarmText(alarm))}</li>`)
    .join("");
  const dialogues = state.dialogues.map(({ lines, reward }) => {
    const said = lines.map(({ speaker, text, tiles }) =>
      speaker === "agent"
        ? `<dt>agent</dt><dd><strong>${escapeHtml(text)}</strong></dd>`
        : `<dt>environment</dt><dd>${observationHtml(text, tiles)}</dd>`,
    );
    return (
      `<div style="border:1px solid #808080;border-radius:4px;padding:0 1em;min-width:14em">` +
      `<dl>${said.join("")}<dt>reward</dt><dd>${reward.toFixed(2)}</dd></dl></div>`
    );
  });
  return (
    `<div><p>${escapeHtml(state.status)}<br>${escapeHtml(state.changes)}</p>${problem}${table}` +
    (alarms === "" ? "" : `<ul>${alarms}</ul>`) +
    `<div style="display:flex;flex-wrap:wrap;gap:1em">${dialogues.join("")}</div></div>`
  );
}

/** The panel for a terminal. */
export function panelText(state: PanelState): string {
  return [
    state.status,
    state.changes,
    ...(state.problem === "" ? [] : [`! ${state.problem}`]),
    ...gaugeRows(state).map(([name, value, bar]) => `${name.padEnd(20)} ${value.padStart(8)} ${bar}`),
    ...state.alarms.slice(-3).map(alarmText),
    ...state.dialogues.map(({ lines, reward }) =>
      [...lines.map(({ speaker, text }) => `  ${speaker}: ${text}`), `  reward: ${reward.toFixed(2)}`].join(
        "\n",
      ),
    ),
  ].join("\n");
}
