import { glossary, type MetricName, type Metrics } from "../base/glossary";
import { escapeHtml } from "../plot/escapeHtml";
import { observationHtml } from "../env/grid/drawGrid";
import type { Dialogue } from "./dialogue";
import type { ActiveAlarm } from "./watch";

/** State that the panel shows. */
export interface PanelState {
  readonly status: string;
  /** Why settings were refused or training failed; empty when all is well. */
  readonly problem: string;
  /** Changes that take effect only in a new start; empty if there are none. */
  readonly waiting: string;
  /** Fields in which the rule differs from the recipe of its name. */
  readonly changes: string;
  readonly metrics: Metrics | undefined;
  /** The largest value that each gauge has had. */
  readonly highest: Readonly<Partial<Record<MetricName, number>>>;
  readonly alarms: readonly ActiveAlarm[];
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

const cells = 8;

/** Filled and empty blocks: readable without color. */
export function meter(value: number, highest: number): string {
  const share = highest > 0 ? Math.min(1, Math.max(0, value / highest)) : 0;
  const filled = Math.round(share * cells);
  return "█".repeat(filled) + "░".repeat(cells - filled);
}

interface Gauge {
  readonly name: string;
  readonly value: string;
  readonly bar: string;
  readonly worry: string;
}

function gaugesOf({ metrics, highest }: PanelState): Gauge[] {
  return gauges.flatMap((name): Gauge[] => {
    const value = metrics?.[name];
    if (value === undefined) return [];
    const bar = meter(value, highest[name] ?? 0);
    return [{ name, value: value.toFixed(3), bar, worry: glossary[name].worryWhen }];
  });
}

const alarmText = ({ rule, since, meaning }: ActiveAlarm): string =>
  `${rule}, up since update ${String(since)}: ${meaning}`;

/** Notices that must be read at once: in an element of their own, so that screen readers announce only changes. */
export function noticeHtml({ problem, waiting }: Pick<PanelState, "problem" | "waiting">): string {
  const refused = problem === "" ? "" : `<div role="alert"><strong>⚠ ${escapeHtml(problem)}</strong></div>`;
  const waits = waiting === "" ? "" : `<div role="status"><strong>⟳ ${escapeHtml(waiting)}</strong></div>`;
  return refused + waits === "" ? "" : `<div style="line-height:1.35;padding:2px 0">${refused}${waits}</div>`;
}

/** Status, alarms, gauges, and what the agent says, as HTML; all text is escaped, colors are the page's own. */
export function panelHtml(state: PanelState, { short = false } = {}): string {
  const alarms = state.alarms
    .map((alarm) => `<div><strong>⚠ ${escapeHtml(alarmText(alarm))}</strong></div>`)
    .join("");
  const head = `<div>${escapeHtml(state.status)}<br>${escapeHtml(state.changes)}</div>${alarms}`;
  if (short) return `<div style="line-height:1.35">${head}</div>`;
  const rows = gaugesOf(state).map(
    ({ name, value, bar, worry }) =>
      `<tr title="look twice when ${escapeHtml(worry)}"><th scope="row" style="text-align:left;padding:0 8px 0 0;font-weight:normal">${escapeHtml(name)}</th>` +
      `<td style="text-align:right;padding:0 8px 0 0">${value}</td><td style="padding:0"><span aria-hidden="true" style="font-family:monospace;letter-spacing:-1px">${bar}</span></td></tr>`,
  );
  const table =
    rows.length === 0
      ? ""
      : `<table aria-label="Gauges; a full bar is the highest value so far" style="border-collapse:collapse;margin:0;font-size:12px;line-height:1.3"><tbody>${rows.join("")}</tbody></table>`;
  return (
    `<div style="line-height:1.35">${head}<div style="display:flex;flex-wrap:wrap;gap:4px 16px;margin-top:4px">` +
    `<div style="flex:none">${table}</div>${dialogueHtml(state.dialogues)}</div></div>`
  );
}

function dialogueHtml(dialogues: readonly Dialogue[]): string {
  const told = dialogues.map(({ lines, reward }) => {
    const said = lines.map(({ speaker, text, tiles }) =>
      speaker === "agent"
        ? `<div>agent: <strong>${escapeHtml(text)}</strong></div>`
        : `<div>${tiles ? observationHtml(text, tiles) : `world: ${escapeHtml(text)}`}</div>`,
    );
    return `<div style="padding-right:8px">${said.join("")}<div>reward: ${reward.toFixed(2)}</div></div>`;
  });
  if (told.length === 0) return "";
  return (
    `<div tabindex="0" role="group" aria-label="Two episodes of the agent as it is now" style="flex:1 1 220px;min-width:0;max-height:132px;overflow:auto;` +
    `display:grid;grid-template-columns:1fr 1fr;gap:6px;font-size:12px;line-height:1.3;border-left:1px solid #808080;padding-left:8px">${told.join("")}</div>`
  );
}

/** The panel for a terminal. */
export function panelText(state: PanelState): string {
  return [
    state.status,
    state.changes,
    ...(state.problem === "" ? [] : [`! ${state.problem}`]),
    ...(state.waiting === "" ? [] : [`~ ${state.waiting}`]),
    ...gaugesOf(state).map(({ name, value, bar }) => `${name.padEnd(20)} ${value.padStart(8)} ${bar}`),
    ...state.alarms.map(alarmText),
    ...state.dialogues.map(({ lines, reward }) =>
      [...lines.map(({ speaker, text }) => `  ${speaker}: ${text}`), `  reward: ${reward.toFixed(2)}`].join(
        "\n",
      ),
    ),
  ].join("\n");
}

/** A line of code that a click selects, to be copied. */
export function codeHtml(line: string, note: string): string {
  return (
    `<label style="display:flex;gap:8px;align-items:center;line-height:1.35;margin-top:4px">this run as code` +
    `<input readonly value="${escapeHtml(line)}" aria-label="This run as a line of code, to copy into a cell" onclick="this.select()" ` +
    `style="flex:1 1 0;min-width:0;font-family:monospace;font-size:12px;padding:2px 4px;color:inherit;background:transparent;border:1px solid #808080"></label>` +
    (note === "" ? "" : `<div>${escapeHtml(note)}</div>`)
  );
}

/** Contents of a saved notebook instead of the playground, with its picture; "" before the first update. */
export function storedHtml(line: string, picture: string, state: PanelState): string {
  const head =
    picture === ""
      ? `<strong>A playground.</strong> To open it, run this cell (Shift+Enter).`
      : `<strong>A stored picture of a playground.</strong> To start it again, run this cell (Shift+Enter).`;
  return (
    `<div><p>${head}</p>` +
    `${picture}${panelHtml({ ...state, status: state.status.replace("▶ running", "it was at") }, { short: true })}` +
    `<pre style="white-space:pre-wrap">${escapeHtml(line)}</pre></div>`
  );
}
