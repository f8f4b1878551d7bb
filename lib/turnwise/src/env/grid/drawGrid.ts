import { escapeHtml } from "../../base/escapeHtml";

/** Meaning of a character of an observation, where observations are maps. */
export type Tile =
  | "wall"
  | "floor"
  | "ice"
  | "hole"
  | "start"
  | "goal"
  | "target"
  | "box"
  | "boxOnTarget"
  | "player"
  | "playerOnTarget";

/** The tile of each character. */
export type Tiles = Readonly<Record<string, Tile>>;

const CELL = 22;

/** Colors of the course's charts, readable on light and on dark backgrounds; grounds are translucent. */
const blue = "#4080E0";
const orange = "#D55E00";
const green = "#009E73";
const gray = "#808080";

const ground = (fill: string, opacity: number): string =>
  `<rect x=".5" y=".5" width="21" height="21" rx="2" fill="${fill}" fill-opacity="${opacity}"/>`;
const ring = `<circle cx="11" cy="11" r="6.5" fill="none" stroke="${green}" stroke-width="2.5"/>`;
const box = (color: string): string =>
  `<rect x="4" y="4" width="14" height="14" rx="2" fill="${color}"/>` +
  `<path d="M4 4L18 18M18 4L4 18" stroke="#fff" stroke-opacity=".6" stroke-width="1.5"/>`;
const person =
  `<circle cx="11" cy="7" r="3.6" fill="${blue}"/>` +
  `<path d="M4.5 19a6.5 6.5 0 0 1 13 0z" fill="${blue}"/>`;
const letter = (text: string, color: string): string =>
  `<text x="11" y="15.5" text-anchor="middle" font-family="sans-serif" font-size="13" font-weight="bold" fill="${color}">${text}</text>`;

const floor = ground(gray, 0.14);

/** Shapes as well as colors tell the tiles apart. */
const drawn: Readonly<Record<Tile, string>> = {
  wall: ground(gray, 0.85),
  floor,
  ice: ground(blue, 0.16),
  hole: ground(blue, 0.16) + `<circle cx="11" cy="11" r="7.5" fill="${gray}"/>`,
  start: ground(blue, 0.16) + letter("S", gray),
  goal: ground(green, 0.3) + letter("G", green),
  target: floor + ring,
  box: floor + box(orange),
  boxOnTarget: floor + box(green),
  player: floor + person,
  playerOnTarget: floor + ring + person,
};

/** The lines of a text if it is a map: equally long lines of known characters. */
function mapLines(text: string, tiles: Tiles | undefined): readonly string[] | undefined {
  if (!tiles) return undefined;
  const rows = text.split("\n");
  const isMap = rows.every(
    (row) =>
      row.length > 0 &&
      row.length === rows[0]!.length &&
      [...row].every((sign) => Object.hasOwn(tiles, sign)),
  );
  return isMap ? rows : undefined;
}

/** A map as shapes of SVG, and its size; undefined where the text is no map. */
export function mapShapes(
  text: string,
  tiles: Tiles | undefined,
): { readonly width: number; readonly height: number; readonly shapes: string } | undefined {
  const rows = mapLines(text, tiles);
  if (!rows) return undefined;
  const cells = rows.flatMap((row, r) =>
    [...row].map(
      (sign, c) => `<g transform="translate(${c * CELL},${r * CELL})">${drawn[tiles![sign]!]}</g>`,
    ),
  );
  return { width: rows[0]!.length * CELL, height: rows.length * CELL, shapes: cells.join("") };
}

/** An observation as HTML: a map as a picture, which a screen reader reads as the text, and anything else as escaped text. */
export function observationHtml(text: string, tiles: Tiles | undefined): string {
  const map = mapShapes(text, tiles);
  if (!map) return escapeHtml(text);
  const { width, height, shapes } = map;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeHtml(text)}" ` +
    `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" style="max-width:none;vertical-align:top">` +
    `${shapes}</svg>`
  );
}
