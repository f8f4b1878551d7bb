import type { MetricName } from "turnwise/internal/base/glossary";
import { short } from "turnwise/internal/base/curve";
import type { FindingId, Found } from "../../lint";
import type { Change } from "../../lint/contract";
import { ifKnown } from "../../lint/contract";
import type { SignalEvent } from "../../report/events";
import type { View } from "../view";

/** Evidence for a cause. */
export interface Evidence {
  /** Title of the cause, where the evidence is of one kind of it. */
  readonly title?: string;
  /** Sentences without a full stop, the strongest first. */
  readonly evidence: readonly string[];
  /** Strength of the evidence: from 100 if certain to 10 if possible. */
  readonly weight: number;
  /** Settings to change, and what to do besides. */
  readonly change: readonly Change[];
  readonly advice?: string;
}

/** Something that can be what is wrong with a run. */
export interface CauseKind {
  readonly title: string;
  /** The section of docs/debugging.md. */
  readonly section: string;
  readonly lesson: string;
  /** Source of its weights, or the reason for them. */
  readonly basis: string;
  /** Undefined where nothing speaks for it. */
  readonly look: (view: View) => Evidence | undefined;
}

/** The events of these metrics in that direction. */
export function eventsIn(
  { run }: View,
  metrics: readonly MetricName[],
  rose: boolean,
): readonly SignalEvent[] {
  return run?.events.filter((one) => metrics.includes(one.metric) && one.rose === rose) ?? [];
}

/** "entropy rose from 0.3 to 6.3, steps 118 to 131". */
export function eventInWords({ title, rose, before, extreme, from, to, recovered }: SignalEvent): string {
  const when = from === to ? `step ${from}` : `steps ${from} to ${to}`;
  return `${title} ${rose ? "rose" : "fell"} from ${short(before)} to ${short(extreme)}, ${when}${recovered ? ", and came back" : ""}`;
}

/** The most that evidence of healthy runs counts where success has not fallen: less than a headline needs. */
export const NO_HEADLINE = 44;

/** More for what came before success fell, less for what followed. */
export function timing({ run }: View, { from }: SignalEvent): number {
  const onset = run?.verdict.success.kind === "fell" ? run.verdict.dip!.onset : undefined;
  if (onset === undefined) return 0;
  return from <= onset ? 15 : -25;
}

/** More for what came first of all. */
export const precedence = ({ run }: View, event: SignalEvent): number =>
  run?.events[0] !== undefined && event.from <= run.events[0].from + 2 ? 10 : 0;

/** Findings of the linter in the configuration. */
export function lintOf({ config }: View, ...ids: readonly FindingId[]): Found[] {
  return config?.lint.found.filter(({ id }) => ids.includes(id)) ?? [];
}

/** Findings as evidence. */
export const lintInWords = ({ title, evidence }: Found): string => `${title}: ${evidence}`;

/** Changes of which the trainer has the settings. */
export function have({ subject }: View, ...change: readonly Change[]): readonly Change[] {
  return subject === undefined ? [] : change.filter(({ setting }) => subject.canSet(setting));
}

/** The number of a setting, where it is known. */
export function numberIn({ subject, config }: View, name: Change["setting"]): number | undefined {
  if (subject === undefined || config === undefined || !subject.has(name)) return undefined;
  return ifKnown(() => subject.number(name), undefined);
}

/** The mean of a metric over the records that have it. */
export function meanOf({ run }: View, metric: MetricName): number | undefined {
  const values = run?.records.flatMap(({ metrics }) => {
    const value = metrics[metric];
    return value !== undefined && Number.isFinite(value) ? [value] : [];
  });
  return values === undefined || values.length === 0
    ? undefined
    : values.reduce((a, b) => a + b, 0) / values.length;
}

/** Fewer optimizer steps on each batch, as far as the configuration takes several; none where it is not known. */
export function fewerSteps(view: View): readonly Change[] {
  const [epochs, batch, minibatch] = (["epochs", "batch", "minibatch"] as const).map((name) =>
    numberIn(view, name),
  );
  if (epochs !== undefined && epochs > 1) return have(view, { setting: "epochs", value: 1 });
  // OpenRLHF's minibatches count rollouts.
  const size =
    batch === undefined
      ? undefined
      : batch * (view.subject?.trainer === "openrlhf" ? (numberIn(view, "groupSize") ?? 1) : 1);
  return size !== undefined && minibatch !== undefined && minibatch < size
    ? have(view, { setting: "minibatch", value: size })
    : [];
}
