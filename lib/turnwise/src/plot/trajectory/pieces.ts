import { log } from "../../base/elementary/log";
import { mapShapes, type Tiles } from "../../env/grid/drawGrid";
import { seriesColors } from "../palette";
import { box, hatch, line, shortened, shortenedStart, text, titled, widthOf } from "./shapes";
import type { Token, Turn } from "./episodes";
import type { Look } from "./look";
import { isClipped, plainNumber, signed, tokenText } from "./words";

/** Something that stands in a line of cells. */
export interface Piece {
  readonly width: number;
  /** Bars of ratios stand below; the line at 1 runs under such pieces. */
  readonly sampled: boolean;
  draw(x: number, y: number): string;
}

/** Blue for more of it, orange for less: told apart by all eyes, and by the frame without colors. */
export const creditColors = { more: seriesColors[0]!, less: seriesColors[1]! } as const;

/** Opacity of the color of an advantage. */
export const creditOpacity = (advantage: number, most: number): number =>
  advantage === 0 ? 0 : 0.1 + (0.5 * Math.abs(advantage)) / most;

/** The marks of tokens that do not choose an action. */
export const roleMarks = { subgoal: "◆", switch: "⇄" } as const;

/** Drawing of the observation before a turn: a map as a picture, anything else as pale words. */
export function heardPieces(turn: Turn, look: Look, tiles: Tiles | undefined): Piece[] {
  const { observation } = turn;
  if (observation === "") return [];
  const map = mapShapes(observation, tiles);
  if (map) {
    const zoom = look.mapHeight / map.height;
    const width = map.width * zoom;
    const draw = (x: number, y: number): string =>
      titled(
        "the map that the world showed, mask 0",
        `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${zoom.toFixed(3)})">${map.shapes}</g>`,
      );
    return [{ width, sampled: false, draw }];
  }
  const words = wordsOf(observation);
  if (words.length === 0) return [];
  const kept = lastWords(words, look.heard);
  const cut = kept.length < words.length || lettersOf(kept) > look.heard;
  if (cut && look.heardLines > 1) return [twoLinePiece(observation, look)];
  const shown = kept.map((word) => ({ text: word, byWorld: true }));
  const mark = kept.length < words.length ? [{ text: "…", byWorld: true }] : [];
  return [...mark, ...shown].map((token) => tokenPiece(token, look, observation));
}

const wordsOf = (observation: string): string[] => observation.split(/\s+/).filter((word) => word !== "");

/** Letters of a line of words, the spaces between them counted. */
const lettersOf = (words: readonly string[]): number => [...words.join(" ")].length;

/**
 * The last words, up to a number of letters, and at least one.
 *
 * A text of the world begins with what it is ("result:", "question:") and ends with what it brings, so the end is kept.
 */
function lastWords(words: readonly string[], most: number): readonly string[] {
  let from = words.length - 1;
  let letters = [...words[from]!].length;
  while (from > 0 && letters + 1 + [...words[from - 1]!].length <= most)
    letters += 1 + [...words[--from]!].length;
  return words.slice(from);
}

/** Two lines of at most `most` letters that hold the end of a text; a mark stands for what is missing before them. */
function twoLines(words: readonly string[], most: number): readonly [string, string] {
  const below = lastWords(words, most);
  if (lettersOf(below) > most) {
    const letters = [...shortenedStart(words.join(" "), 2 * most)];
    return [letters.slice(0, -most).join(""), letters.slice(-most).join("")];
  }
  const rest = words.slice(0, words.length - below.length);
  if (lettersOf(rest) <= most) return [rest.join(" "), below.join(" ")];
  // The mark and its space take two letters.
  const above = `… ${lastWords(rest, most - 2).join(" ")}`;
  return [[...above].length <= most ? above : "…", below.join(" ")];
}

/** A text of the world that is too long for a line of cells, in one cell and smaller letters. */
function twoLinePiece(observation: string, look: Look): Piece {
  const { numberFont: font, pad, cell } = look;
  const lines = twoLines(wordsOf(observation), Math.max(1, look.heard));
  const width = Math.max(...lines.map((words) => widthOf(words, font, true))) + 2 * (pad - 3);
  const draw = (x: number, y: number): string => {
    const style = { size: font, mono: true, anchor: "middle", opacity: 0.8 } as const;
    const written = lines.filter((words) => words !== "");
    const first = y + (cell - font * 1.2 * (written.length - 1)) / 2 + font * 0.35;
    return titled(
      tokenText({ text: observation, byWorld: true }),
      hatch(x, y, width, cell) +
        box(x, y, width, cell, { stroke: "currentColor", strokeOpacity: 0.25 }) +
        written.map((words, i) => text(x + width / 2, first + i * font * 1.2, words, style)).join(""),
    );
  };
  return { width, sampled: false, draw };
}

/** Name of the agent that takes the turn, if the head above does not show it. */
export function namePiece({ number, agent }: Turn, { mixed, labelFont, cell }: Look): Piece[] {
  if (agent === undefined || !mixed.has(number)) return [];
  const words = `${shortened(agent, 10)}:`;
  const draw = (x: number, y: number): string =>
    text(x, y + cell / 2 + labelFont * 0.35, words, { size: labelFont, opacity: 0.85 });
  return [{ width: widthOf(words, labelFont) + 2, sampled: false, draw }];
}

/** The tokens of a turn, at most so many; a mark tells how many are left out. */
export function tokenPieces({ tokens }: Turn, look: Look): Piece[] {
  const over = tokens.length - look.tokens;
  if (over <= 1) return tokens.map((token) => tokenPiece(token, look));
  return [...tokens.slice(0, look.tokens).map((token) => tokenPiece(token, look)), morePiece(over, look)];
}

/** Number of omitted tokens. */
function morePiece(count: number, { font, cell }: Look): Piece {
  const words = `+${count}`;
  const width = widthOf(words, font, true) + 8;
  const draw = (x: number, y: number): string =>
    titled(
      `${count} more tokens`,
      text(x + width / 2, y + cell / 2 + font * 0.35, words, { size: font, anchor: "middle", opacity: 0.85 }),
    );
  return { width, sampled: false, draw };
}

/** Blanks that a reader would not see get a sign, where they stand at an end of a token. */
const visible = (words: string): string =>
  words.trim() === words && words !== "" ? words : words.replaceAll("\n", "⏎").replaceAll(" ", "␣");

/** A word in its cell, with its advantage and the bar of its ratio. */
function tokenPiece(token: Token, look: Look, said = token.text): Piece {
  const { font, numberFont, pad, cell } = look;
  const { byWorld, advantage, role } = token;
  const letters = byWorld
    ? shortenedStart(visible(token.text), Math.max(1, look.heard))
    : shortened(visible(token.text), look.word);
  const word = `${role === undefined ? "" : `${roleMarks[role]} `}${letters}`;
  const ratio = ratioText(token, look);
  // Small bars have no room for numbers: where the cell has some, the ratio is written there.
  const number = advantage === undefined ? (look.strip > 40 ? "" : ratio) : signed(advantage);
  const inner = Math.max(
    widthOf(word, font, true),
    widthOf(number, numberFont),
    look.strip > 40 ? widthOf(ratio, numberFont) : 0,
  );
  const width = inner + 2 * (byWorld ? pad - 3 : pad);
  const draw = (x: number, y: number): string => {
    const middle = x + width / 2;
    const centered = { size: font, mono: true, anchor: "middle" } as const;
    if (byWorld) {
      const frame = box(x, y, width, cell, { stroke: "currentColor", strokeOpacity: 0.25 });
      const label = text(middle, y + cell / 2 + font * 0.35, word, { ...centered, opacity: 0.72 });
      return titled(tokenText({ ...token, text: said }), hatch(x, y, width, cell) + frame + label);
    }
    const baseline = number === "" ? y + cell / 2 + font * 0.35 : y + font * 1.15;
    const under = { size: numberFont, anchor: "middle" } as const;
    return titled(
      tokenText(token),
      frameOf(token, look, x, y, width) +
        text(middle, baseline, word, centered) +
        (number === "" ? "" : text(middle, y + cell - numberFont * 0.5, number, under)) +
        ratioBar(token, look, x, y + cell, width),
    );
  };
  return { width, sampled: !byWorld, draw };
}

function frameOf({ advantage }: Token, look: Look, x: number, y: number, width: number): string {
  if (advantage === undefined || advantage === 0) {
    const plain = { fill: "currentColor", fillOpacity: 0.05, stroke: "currentColor", strokeOpacity: 0.55 };
    return box(x, y, width, look.cell, plain);
  }
  const color = advantage > 0 ? creditColors.more : creditColors.less;
  return box(x, y, width, look.cell, {
    fill: color,
    fillOpacity: creditOpacity(advantage, look.most),
    stroke: color,
    strokeWidth: 2,
    ...(advantage < 0 && { dash: "4 3" }),
  });
}

function ratioText({ ratio }: Token, look: Look): string {
  return ratio === undefined || look.strip === 0 ? "" : plainNumber(ratio);
}

/** A bar from the line at 1 to the ratio, on a logarithmic scale: half as likely is as long as twice as likely. */
function ratioBar(token: Token, look: Look, x: number, y: number, width: number): string {
  const { ratio } = token;
  if (ratio === undefined || look.strip === 0) return "";
  const middle = y + look.strip / 2;
  const end = yOfRatio(ratio, look, y);
  const clipped = isClipped(ratio, look.clip);
  const bar = box(x + width * 0.2, Math.min(middle, end), width * 0.6, Math.max(1, Math.abs(end - middle)), {
    fill: "currentColor",
    fillOpacity: clipped ? 0.95 : 0.45,
    radius: 0,
  });
  if (look.strip <= 40) return bar;
  // The number stands on the other side of the line, where the bar is not.
  const baseline = end > middle ? middle - 5 : middle + look.numberFont + 2;
  const words = ratioText(token, look);
  return (
    bar + text(x + width / 2, baseline, words, { size: look.numberFont, anchor: "middle", bold: clipped })
  );
}

/** Height of a ratio in the strip with its top at y. */
export function yOfRatio(ratio: number, { strip, reach }: Look, y: number): number {
  const share = Math.max(-1, Math.min(1, log(ratio) / reach));
  // Low strips need all of their height.
  const rim = strip > 40 ? 8 : 2;
  return y + strip / 2 - (share * (strip - rim)) / 2;
}

/** Drawing of a turn's reward. */
export function rewardPiece({ reward }: Turn, look: Look): Piece[] {
  if (reward === undefined) return [];
  const large = look.mapHeight > 40;
  const number = plainNumber(reward, large ? 3 : 2);
  const { font, labelFont, cell } = look;
  const words = large ? "reward" : "";
  const width = 8 + Math.max(widthOf(number, font, true), widthOf(words, labelFont));
  const draw = (x: number, y: number): string => {
    const middle = x + width / 2 + 2;
    const value = { size: font, bold: true, anchor: "middle" } as const;
    return titled(
      `reward of the turn: ${number}`,
      large
        ? text(middle, y + cell / 2 - 4, words, { size: labelFont, anchor: "middle", opacity: 0.8 }) +
            text(middle, y + cell / 2 + font - 2, number, value)
        : text(middle, y + cell / 2 + font * 0.35, number, value),
    );
  };
  return [{ width, sampled: false, draw }];
}

/** The line at 1, and the bounds of the gate, below pieces that lie side by side. */
export function ratioLines(look: Look, from: number, to: number, y: number): string {
  if (look.strip === 0) return "";
  const at = (ratio: number): number => yOfRatio(ratio, look, y);
  const bounds = [look.clip.low, look.clip.high].filter((bound) => bound > 0 && bound < Infinity);
  return [
    line([from, at(1)], [to, at(1)], { opacity: 0.7 }),
    ...bounds.map((bound) => line([from, at(bound)], [to, at(bound)], { opacity: 0.7, dash: "4 3" })),
  ].join("");
}
