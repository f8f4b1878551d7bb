import { hasAssets } from "#assets";
import { expectKnown } from "../base/expect";
import { extensionOf } from "../base/extension";
import type { VegaLiteSpec } from "./spec";
import { renderSvg, type TextWidth } from "./renderSvg";

/** Options of saving a chart. */
export interface SaveOptions {
  /** Colors of text, axes and background. Default "light": black on white. */
  readonly theme?: "light" | "dark";
  /** A color, or "transparent". Default: that of the theme. */
  readonly background?: string;
  /** Pixels of a PNG for each unit of the chart. Default 2. */
  readonly scale?: number;
}

const endings = ["svg", "png", "pdf", "json"] as const;
type Ending = (typeof endings)[number];
type Theme = "light" | "dark";
const action = "save a chart";

/** Parts of a drawing, once its style is known. */
interface Figure {
  readonly title: string;
  readonly endings: readonly Ending[];
  /** The figure as JSON, for the ending that asks for it. */
  json?(): string;
  svg(theme: Theme, background: string, width: TextWidth | undefined): string | Promise<string>;
}

/** Writes a chart to a file; its ending says how. Returns the path. */
export async function saveSpec(spec: VegaLiteSpec, file: string, o?: SaveOptions): Promise<string> {
  return saveFigure(file, o, {
    title: titleOf(spec),
    endings,
    json: () => `${JSON.stringify(spec, null, 2)}\n`,
    // The spec itself leaves colors to whoever draws it.
    svg: (theme, background, width) => renderSvg(themed(spec, theme, background), width),
  });
}

/** Writes an SVG whose ink is `currentColor` to a file; its ending says how. Returns the path. */
export async function saveSvg(svg: string, title: string, file: string, o?: SaveOptions): Promise<string> {
  return saveFigure(file, o, {
    title,
    endings: ["svg", "png", "pdf"],
    svg: (theme, background) =>
      svg
        .replace(/^<svg[^>]*>/, (start) => `${start}<rect width="100%" height="100%" fill="${background}"/>`)
        .replaceAll("currentColor", ink[theme]),
  });
}

async function saveFigure(file: string, o: SaveOptions = {}, figure: Figure): Promise<string> {
  const ending = extensionOf(file, figure.endings, action);
  expectKnown(action, o, ["theme", "background", "scale"]);
  const { theme = "light", scale = 2 } = o;
  if (theme !== "light" && theme !== "dark") {
    throw new RangeError(`Cannot ${action}: theme must be "light" or "dark", got "${String(theme)}".`);
  }
  if (!(scale > 0 && scale <= 20)) {
    throw new RangeError(`Cannot ${action}: scale must be in (0, 20], got ${scale}.`);
  }
  const text = async (): Promise<string> => {
    if (ending === "json" && figure.json) return figure.json();
    const width = hasAssets() ? await (await import("./files/textWidth.js")).loadTextWidth() : undefined;
    return figure.svg(theme, o.background ?? paper[theme], width);
  };
  const page = (globalThis as { document?: Page }).document;
  if (page && !inNode()) return download(page, file, ending, await text());
  const { saveFile } = await import("../train/files/saveFile.js");
  return saveFile(file, await contentOf(ending, await text(), scale, figure.title), action);
}

async function contentOf(
  ending: Ending,
  drawn: string,
  scale: number,
  title: string,
): Promise<string | Uint8Array> {
  if (ending === "png") return (await import("./files/png.js")).pngOf(drawn, scale);
  if (ending === "pdf") return (await import("#plot/pdf")).pdfOf(drawn, title);
  return drawn;
}

type Config = Readonly<Record<string, unknown>>;

const ink = { light: "#1a1a1a", dark: "#e6e6e6" } as const;
const paper = { light: "#ffffff", dark: "#111111" } as const;
const faint = { light: "#dddddd", dark: "#3a3a3a" } as const;
const middle = { light: "#888888", dark: "#888888" } as const;

/** A spec with the colors of a theme, which a notebook would have set itself. */
function themed(spec: VegaLiteSpec, theme: Theme, background: string): VegaLiteSpec {
  const color = ink[theme];
  const own = (spec["config"] ?? {}) as Readonly<Record<string, Config | undefined>>;
  const colors: Readonly<Record<string, Config>> = {
    axis: {
      labelColor: color,
      titleColor: color,
      domainColor: middle[theme],
      tickColor: middle[theme],
      gridColor: faint[theme],
    },
    legend: { labelColor: color, titleColor: color },
    header: { labelColor: color, titleColor: color },
    title: { color, subtitleColor: color },
    text: { color },
    view: { stroke: faint[theme] },
  };
  const names = [...new Set([...Object.keys(own), ...Object.keys(colors)])];
  const config = Object.fromEntries(names.map((name) => [name, { ...colors[name], ...own[name] }]));
  return { ...spec, background, config: { ...own, ...config } };
}

function titleOf({ title }: VegaLiteSpec): string {
  const text = typeof title === "object" && title !== null ? (title as { text?: unknown }).text : title;
  return typeof text === "string" ? text : "Chart";
}

function inNode(): boolean {
  return typeof process !== "undefined" && typeof process.versions?.node === "string";
}

/** Functions that a web page offers instead of a file. */
interface Page {
  createElement(name: "a"): { href: string; download: string; click(): void };
}

function download(page: Page, file: string, ending: string, text: string): string {
  if (ending === "png" || ending === "pdf") {
    throw new RangeError(
      `Cannot ${action} as .${ending}: that needs Node.js. In a browser, save it as .svg or .json.`,
    );
  }
  const link = page.createElement("a");
  const type = ending === "svg" ? "image/svg+xml" : "application/json";
  link.href = `data:${type};charset=utf-8,${encodeURIComponent(text)}`;
  link.download = file.split("/").at(-1)!;
  link.click();
  return link.download;
}
