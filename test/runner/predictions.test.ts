import assert from "node:assert/strict";
import path from "node:path";
import { root } from "../support/paths.js";

interface Prediction {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly question: string;
  readonly options: readonly { readonly letter: string; readonly text: string }[];
  readonly list: boolean;
  readonly after: string;
}
interface Fold extends Prediction {
  readonly cell: number;
  readonly end: number;
  readonly section: string | undefined;
}
interface Predictions {
  predictionsOf(markdown: string): Prediction[];
  foldsOf(cells: readonly { type: string; source: string }[]): Fold[];
}
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { predictionsOf, foldsOf } = require(
  path.join(root, "kernel", "labextension", "static", "predictions.js"),
) as Predictions;

const text = (source: string): { type: string; source: string } => ({ type: "markdown", source });
const code = { type: "code", source: "draw();" };
const ask = "> **Predict.** How often?\n>\n> - (a) never\n> - (b) always";
const optionsOf = (markdown: string): string =>
  predictionsOf(markdown)
    .map(({ options }) => options.map(({ letter, text }) => `${letter} ${text}`).join(" | "))
    .join(" / ");

describe("predictions of a notebook", () => {
  it("are quotes that begin with Predict, with a list of lettered choices", () => {
    const [one, ...more] = predictionsOf(`## 1. Heads\n\nText.\n\n${ask}\n\nBelow.`);
    assert.deepEqual(more, []);
    const { key, ...rest } = one!;
    assert.deepEqual(rest, {
      from: 4,
      to: 8,
      question: "How often?",
      options: [
        { letter: "a", text: "never" },
        { letter: "b", text: "always" },
      ],
      list: true,
      after: "",
    });
    assert.match(key, /^[0-9a-z]{8,}$/);
  });

  it("may have choices on lines of their own, over two lines, or in a paragraph", () => {
    assert.equal(
      optionsOf("> **Predict.** Which?\n> (a) one\n> (b) two\n>     and more"),
      "a one | b two and more",
    );
    assert.equal(
      optionsOf("> **Predict.** Is it (a) $x$, (b) *y* or\n> (c) none?"),
      "a $x$, | b *y* or | c none?",
    );
    assert.equal(optionsOf("> **Predict.** Which?\n>\n> (a) one (b) two"), "a one | b two");
    assert.equal(predictionsOf("> **Predict.** Which?\n>\n> (a) one (b) two")[0]!.list, false);
    assert.equal(optionsOf("> **Predict:** f(a) or f(b)?"), "");
    assert.equal(optionsOf("> **Predict.** (b) or (a) ?"), "");
    assert.equal(optionsOf("> **Predict.** Only\n> - (a) one"), "");
  });

  it("are neither other quotes nor code", () => {
    assert.equal(predictionsOf("> Predict. What?\n\n> **Note.** None.").length, 0);
    assert.equal(predictionsOf("```md\n" + ask + "\n```\n\n~~~\n" + ask + "\n```\n~~~").length, 0);
    assert.equal(predictionsOf("```\ncode\n```\n\n" + ask).length, 1);
  });

  it("are known by their words, wherever they stand and however they are broken into lines", () => {
    const keyOf = (markdown: string): string => predictionsOf(markdown)[0]!.key;
    assert.equal(keyOf(`# Other\n\n${ask}`), keyOf(ask));
    assert.equal(keyOf(ask.replace("How often?", "How\n> often?")), keyOf(ask));
    assert.notEqual(keyOf(ask.replace("never", "once")), keyOf(ask));
  });

  it("hold back what follows, up to the next section, also below deeper headings and a second prediction", () => {
    const cells = [
      text("# Title"),
      text(`## 1. Heads\n\n${ask}`),
      code,
      text("**Always.**\n\n### Why"),
      text(ask.replace("How", "And how")),
      code,
      text("## 2. Tails\n\nNo question."),
      code,
      text(`## Takeaways\n\n${ask.replace("How", "So how")}`),
      code,
    ];
    assert.deepEqual(
      foldsOf(cells).map(({ cell, end, section }) => [cell, end, section]),
      [
        [1, 6, "1"],
        [4, 6, "1"],
        [8, 10, undefined],
      ],
    );
  });

  it("hold nothing of another cell back where the next section begins in their own", () => {
    const [fold] = foldsOf([text(`## 1. A\n\n${ask}\n\n## 2. B\n\nText.`), code]);
    assert.deepEqual([fold!.cell, fold!.end], [0, 1]);
  });
});
