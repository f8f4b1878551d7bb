// Reads the predictions of a notebook from its Markdown. JupyterLab loads this file as a script, Node.js requires it: the extension,
// the decks and the check of the course's form must agree on where a prediction stands and where its section ends.
"use strict";
(() => {
  const opens = /^\*\*Predict[.:]\*\*\s*/;
  const option = /^(?:[-*+]\s+)?\(([a-h])\)\s+(.*)$/;
  const letters = "abcdefgh";

  /** Whether these are (a), (b) and so on, from the first and at least two. */
  const inOrder = (options) => options.length > 1 && options.every(({ letter }, i) => letter === letters[i]);

  /** A short name of a text, the same wherever it stands, so that a renamed notebook keeps its reader's choices. */
  function keyOf(text) {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (const character of text.replace(/\s+/g, " ").trim()) {
      const code = character.codePointAt(0);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    return (high >>> 0).toString(36) + (low >>> 0).toString(36);
  }

  /** Options that follow each other in one line or paragraph. */
  function inlineOptions(text) {
    const pieces = text.split(/(?<=^|\s)\(([a-h])\)\s+/);
    const options = [];
    for (let i = 1; i < pieces.length; i += 2)
      options.push({ letter: pieces[i], text: pieces[i + 1].trim() });
    return inOrder(options) ? { question: pieces[0].trim(), options } : undefined;
  }

  /** A prediction from the lines of its quote, without their marks. */
  function predictionOf(lines, from, to) {
    const first = lines.findIndex((line) => option.test(line));
    const options = [];
    const after = [];
    let isOption = false;
    for (const line of first < 0 ? [] : lines.slice(first)) {
      const [, letter, text] = option.exec(line) ?? [];
      if (letter !== undefined) options.push({ letter, text });
      else if (line.trim() === "") isOption = false;
      else if (isOption && after.length === 0) options.at(-1).text += ` ${line.trim()}`;
      else after.push(line.trim());
      isOption ||= letter !== undefined;
    }
    const whole = lines.join("\n").replace(opens, "");
    const base = { key: keyOf(whole), from, to };
    // "(a) no (b) yes" in a line would read as one option.
    if (inOrder(options) && !options.some(({ text }) => /\s\([a-h]\)\s/.test(text))) {
      const question = lines.slice(0, first).join("\n").replace(opens, "").trim();
      return { ...base, question, options, list: true, after: after.join("\n") };
    }
    const inline = inlineOptions(whole.replace(/\s+/g, " "));
    return { ...base, question: whole.trim(), options: [], after: "", ...inline, list: false };
  }

  /** The predictions in a Markdown text, and the headings of the first and second level, in order. */
  function read(markdown) {
    const found = [];
    const lines = markdown.split("\n");
    let fence;
    for (let i = 0; i < lines.length; i++) {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(lines[i])?.[1];
      if (mark !== undefined && (fence === undefined || (mark.startsWith(fence) && lines[i].trim() === mark)))
        fence = fence === undefined ? mark : undefined;
      if (fence !== undefined) continue;
      const heading = /^ {0,3}##? +(.*?)\s*#*$/.exec(lines[i])?.[1];
      if (heading !== undefined) found.push({ heading, from: i });
      if (!/^ {0,3}>/.test(lines[i])) continue;
      const from = i;
      while (i + 1 < lines.length && /^ {0,3}>/.test(lines[i + 1])) i++;
      const quote = lines.slice(from, i + 1).map((line) => line.replace(/^ {0,3}> ?/, ""));
      if (opens.test(quote[0])) found.push({ prediction: predictionOf(quote, from, i + 1) });
    }
    return found;
  }

  const predictionsOf = (markdown) => read(markdown).flatMap(({ prediction }) => prediction ?? []);

  /**
   * The predictions of a notebook. Each holds back what follows it, up to the first cell with a heading as large as a section's
   * ("# " or "## "), or the end.
   *
   * @param cells `{ type, source }` of each cell
   * @returns of each prediction also its cell, `end` (the first cell that it does not hold back), and the number of its section
   */
  function foldsOf(cells) {
    const folds = [];
    let [section, open] = [undefined, []];
    cells.forEach(({ type, source }, cell) => {
      if (type !== "markdown") return;
      for (const { heading, prediction } of read(source)) {
        if (heading !== undefined) {
          for (const fold of open) fold.end = Math.max(cell, fold.cell + 1);
          [section, open] = [/^(\d+)\./.exec(heading)?.[1], []];
        } else {
          const fold = { ...prediction, cell, section, end: cells.length };
          folds.push(fold);
          open.push(fold);
        }
      }
    });
    return folds;
  }

  const api = { predictionsOf, foldsOf };
  if (typeof module === "object") module.exports = api;
  else window._turnwisePredictions = api;
})();
