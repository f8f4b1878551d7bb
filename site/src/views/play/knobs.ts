import { h, type ComponentChild } from "preact";
import { slider } from "../shared/controls";
import type { Catalog, Knob, Name } from "./catalog";
import { valueIn, withValue, type Run } from "./runs";
import { nameOf, plain, unitOf, valueText } from "./words";

/** The three that matter first. */
const first: readonly Name[] = ["epochs", "learningRate", "groupSize"];
const rest: readonly Name[] = ["clipHigh", "entropyCoef", "groups", "optimizer", "seed"];

/** Places of a slider: every whole number, or 1, 2, 5 of each power of ten; and the value itself, wherever it is. */
function placesOf(
  knob: Exclude<Knob, { readonly words: readonly string[] }>,
  value: number,
): readonly number[] {
  const { min, max, isWhole, isLog } = knob;
  const places = isWhole
    ? Array.from({ length: max - min + 1 }, (_, i) => min + i)
    : isLog
      ? Array.from({ length: 12 }, (_, k) => k - 6).flatMap((k) =>
          [1, 2, 5].map((digit) => Number(`${digit}e${k}`)).filter((one) => one >= min && one <= max),
        )
      : [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].filter(
          (one) => one >= min && one <= max,
        );
  return [...new Set([...places, value])].sort((a, b) => a - b);
}

interface Given {
  readonly run: Run;
  readonly catalog: Catalog;
  readonly change: (run: Run) => void;
}

function knob(name: Name, { run, catalog, change }: Given): ComponentChild {
  const { now } = valueIn(run, name, catalog);
  const about = catalog.knobs[name];
  if (now === undefined) return null;
  if ("words" in about)
    return h("label", { class: "knob pick" }, [
      h("span", null, nameOf(name)),
      h(
        "select",
        {
          value: now,
          onChange: (event: Event) => {
            change(withValue(run, name, (event.currentTarget as HTMLSelectElement).value, catalog));
          },
        },
        about.words.map((word) => h("option", { value: word, selected: word === now }, plain(word))),
      ),
    ]);
  const value = Number(now);
  return slider(
    nameOf(name),
    placesOf(about, value),
    value,
    (chosen) => change(withValue(run, name, chosen, catalog)),
    { words: valueText, unit: unitOf(name) },
  );
}

export const firstKnobs = (given: Given): ComponentChild => first.map((name) => knob(name, given));

export const otherKnobs = (given: Given): ComponentChild => rest.map((name) => knob(name, given));
