import { h, type ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { Catalog, Name, Value } from "./catalog";
import type { Trainer } from "./client";
import type { Closest, Task } from "./protocol";
import { valueIn, withValue, type Run } from "./runs";
import { nameOf, plain, shortTitle, valueText } from "./words";

/** The fields of a rule in the order in which an update meets them. */
const fields: readonly Name[] = [
  "filter",
  "advantage",
  "scale",
  "correction",
  "ratio",
  "pooling",
  "gate",
  "aggregate",
  "order",
  "carry",
  "clippingTriggered",
];

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

/** The rule in a sentence: which known one it is, or how far it is from it. */
export function relation(run: Run, closest: Closest | undefined, catalog: Catalog): string {
  if (!closest) return shortTitle(run.rule, catalog);
  const n = new Set(closest.differences.map(({ field }) => field)).size;
  if (n === 0) return `Every field is as in ${shortTitle(closest.name, catalog)}.`;
  return `${shortTitle(closest.name, catalog)}, ${count(n, "field")} changed. What differs is lit.`;
}

export interface StripProps {
  readonly run: Run;
  readonly task: Task;
  readonly trainer: Trainer;
  readonly catalog: Catalog;
  readonly change: (run: Run) => void;
}

/** The rule as a strip of choices; a click on one opens the others. */
export function Strip({ run, task, trainer, catalog, change }: StripProps): ComponentChild {
  const [opened, setOpened] = useState<Name | undefined>(undefined);
  const { closest } = trainer.progressOf(task);
  const chosen = (name: Name): unknown => valueIn(run, name, catalog).now;
  const shown = fields.filter((name) => {
    if (name === "pooling") return chosen("ratio") === "turn" || chosen("ratio") === "trajectory";
    if (name === "carry") return chosen("order") !== "simultaneous";
    return chosen(name) !== undefined;
  });
  return h(
    "ul",
    { class: "strip" },
    shown.map((name) => {
      const { now, own } = valueIn(run, name, catalog);
      const differences = closest
        ? closest.differences.filter(({ field }) => field === name)
        : now === own
          ? []
          : [{ field: name, theirs: String(own) }];
      const knob = catalog.knobs[name];
      const words = "words" in knob ? knob.words : [];
      const isOpen = opened === name;
      const toggle = (): void => {
        if (!isOpen) trainer.ask(task, name, words);
        setOpened(isOpen ? undefined : name);
      };
      const isLit = differences.length > 0;
      const was = differences.map(({ theirs }) => plain(theirs)).join(", ");
      return h("li", { class: isLit ? "lit" : "", key: name }, [
        h("button", { type: "button", "aria-expanded": isOpen, onClick: toggle }, [
          h("span", { class: "soft" }, nameOf(name)),
          h("code", null, valueText(now)),
          h("span", { class: "soft" }, isLit ? `was ${was}` : count(words.length - 1, "other")),
        ]),
        isOpen &&
          alternatives({
            name,
            now,
            words,
            catalog,
            reasons: trainer.reasonsOf(task, name),
            choose: (value) => change(withValue(run, name, value, catalog)),
          }),
      ]);
    }),
  );
}

interface Alternatives {
  readonly name: Name;
  readonly now: Value | undefined;
  readonly words: readonly string[];
  readonly catalog: Catalog;
  readonly reasons: Readonly<Record<string, string>> | undefined;
  readonly choose: (value: string) => void;
}

/** All values of a field, each with its equation and one sentence; one that does not fit says why. */
function alternatives({ name, now, words, catalog, reasons, choose }: Alternatives): ComponentChild {
  const told = catalog.choices[name] ?? {};
  return h("fieldset", { class: "alternatives" }, [
    h("legend", null, catalog.fields[name] ?? ""),
    ...words.map((value) => {
      const { help = "", equation = "", source = "" } = told[value] ?? {};
      const reason = reasons?.[value] ?? "";
      return h("label", { class: reason === "" ? "" : "unfit", key: value }, [
        h("input", {
          type: "radio",
          name: `field-${name}`,
          checked: value === now,
          disabled: reason !== "",
          onChange: () => choose(value),
        }),
        h("span", null, [
          h("strong", null, plain(value)),
          equation !== "" && h("span", { class: "equation", dangerouslySetInnerHTML: { __html: equation } }),
          h(
            "span",
            { class: "help" },
            reason === "" ? help : reason.replace(/^Cannot make recipe \w+: /, "Does not fit: "),
          ),
          reason === "" && source !== "" && h("small", { class: "soft" }, source),
        ]),
      ]);
    }),
  ]);
}
