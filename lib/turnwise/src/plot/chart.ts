import { saveSpec, type SaveOptions } from "./save";
import type { VegaLiteSpec } from "./spec";
import { followingTheme } from "./theme";
import { displaySymbol, type MimeBundle } from "../base/display";

export type { VegaLiteSpec };

export const vegaLiteSchema = "https://vega.github.io/schema/vega-lite/v5.json";
/** The media type by which Jupyter knows a Vega-Lite spec. */
export const vegaLiteMime = "application/vnd.vegalite.v5+json";

/** A chart that displays itself in any kernel that knows `Symbol.for("Jupyter.display")`. */
export class Chart {
  constructor(
    readonly spec: VegaLiteSpec,
    /** Text for readers without graphics. */
    readonly summary: string,
  ) {}

  /** The chart as a Vega-Lite spec. */
  toSpec(): VegaLiteSpec {
    return this.spec;
  }

  /**
   * Writes the chart to a file, and gives its path: `.svg`, `.png`, `.pdf` with text that can be searched, or `.json`, the
   * Vega-Lite spec.
   *
   * @throws {RangeError} if the path has another ending, or its folder does not exist
   * @example
   * import { lineChart } from "turnwise";
   * const squares = [1, 2, 3].map((x) => ({ x, y: x ** 2 }));
   * const chart = lineChart({ squares }, { title: "Squares", xTitle: "x", yTitle: "x squared" });
   * await chart.save("squares.svg"); // => "squares.svg"
   * await chart.save("squares.png", { theme: "dark", scale: 3 }); // => "squares.png"
   */
  save(path: string, options?: SaveOptions): Promise<string> {
    return saveSpec(this.spec, path, options);
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return { [vegaLiteMime]: followingTheme(this.spec), "text/plain": this.summary };
  }
}
