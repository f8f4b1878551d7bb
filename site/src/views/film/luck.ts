import { h, type ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import { endOf, type Reuse } from "./passes";
import { settings } from "./settings";
import { forgotten } from "./words";

/** A slider that is dragged comes first. */
const restMs = 300;

/** P(LOOKUP) after the last pass on every batch of the page, as they are computed; one after the other, so that the page answers. */
export function useEnds({ passes, rate, clip }: Omit<Reuse, "batch">): readonly number[] {
  const [ends, setEnds] = useState<readonly number[]>([]);
  useEffect(() => {
    setEnds([]);
    const found: number[] = [];
    const { values } = settings.batch;
    const next = (): void => {
      found.push(endOf({ batch: values[found.length]!, passes, rate, clip }));
      if (found.length < values.length) timer = setTimeout(next);
      else setEnds(found);
    };
    let timer = setTimeout(next, restMs);
    return () => clearTimeout(timer);
  }, [passes, rate, clip]);
  return ends;
}

/** A dot for each batch, where its last pass leaves the tool; the chosen batch stands out. */
export function luck(name: string, look: string, ends: readonly number[], batch: number): ComponentChild {
  const gone = ends.filter((end) => end < forgotten).length;
  const said = ends.length === 0 ? "…" : `${gone} of ${ends.length} have forgotten it`;
  return h("div", { class: "luck" }, [
    h("span", null, name),
    h(
      "span",
      { class: `dots ${look}`, "aria-hidden": "true" },
      ends.map((end, i) =>
        h("i", { class: i + 1 === batch ? "here" : "", style: { left: `${(100 * end).toFixed(1)}%` } }),
      ),
    ),
    h("span", { class: "soft" }, said),
  ]);
}
