import { h, type ComponentChild } from "preact";
import { canCompare, topsOf, type Case } from "./case";
import { bytesInWords } from "./words";

interface GivenProps {
  readonly given: Case;
  readonly examine: (next: Case) => void;
  readonly startOver: () => void;
}

/** The files that are examined, and how. */
export function Given({ given, examine, startOver }: GivenProps): ComponentChild {
  const { files, compare, optimum, map } = given;
  const tops = topsOf(files);
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  const setOptimum = (event: Event): void => {
    const { valueAsNumber } = event.currentTarget as HTMLInputElement;
    // One that cannot be is refused by the doctor, with the reason.
    examine({ ...given, optimum: Number.isNaN(valueAsNumber) ? undefined : valueAsNumber });
  };
  const setMap = (event: Event): void => {
    const { value } = event.currentTarget as HTMLInputElement;
    examine({ ...given, map: value.split(/[\s,]+/).filter((pair) => pair !== "") });
  };
  return h("section", { class: "given", "aria-label": "What is examined" }, [
    h("p", null, [
      h(
        "strong",
        null,
        tops.slice(0, 4).join(", ") + (tops.length > 4 ? ` and ${tops.length - 4} more` : ""),
      ),
      ` · ${files.length} ${files.length === 1 ? "file" : "files"}, ${bytesInWords(size)} `,
      h("button", { type: "button", class: "plain", onClick: startOver }, "Start over"),
    ]),
    h("details", { class: "options" }, [
      h("summary", null, "Options"),
      h("label", { class: "knob" }, [
        h("span", null, "best possible mean reward"),
        h("input", {
          type: "number",
          min: 0,
          step: "any",
          placeholder: "1, if all rewards are from 0 to 1",
          value: optimum ?? "",
          onChange: setOptimum,
        }),
      ]),
      h("label", { class: "knob" }, [
        h("span", null, "custom names in the log"),
        h("input", {
          type: "text",
          placeholder: "my/score=reward/mean",
          spellcheck: false,
          value: map.join(" "),
          onChange: setMap,
        }),
      ]),
      canCompare(files) &&
        h("label", { class: "knob" }, [
          h("span", null, "two runs to compare"),
          h("input", {
            type: "checkbox",
            role: "switch",
            checked: compare,
            onChange: (event: Event) =>
              examine({ ...given, compare: (event.currentTarget as HTMLInputElement).checked }),
          }),
        ]),
    ]),
  ]);
}
