import type { MimeBundle } from "../../protocol/message.js";
import { isPromise } from "../promises.js";
import { arquero } from "./arquero.js";
import { arrow } from "./arrow.js";
import { arrowVector } from "./arrow-vector.js";
import { canvas } from "./canvas.js";
import type { Adapter } from "./contract.js";
import { danfo } from "./danfo.js";
import { duckdb } from "./duckdb.js";
import { duckdbReader } from "./duckdb-reader.js";
import { element } from "./element.js";
import { image } from "./image.js";
import { plotly } from "./plotly.js";
import { polars } from "./polars.js";
import { rows } from "./rows.js";
import { tensor } from "./tensor.js";
import { toMethods } from "./to-methods.js";
import { vega } from "./vega.js";
import { vegaView } from "./vega-view.js";

/** All adapters, in the order in which they are asked. */
export const adapters: readonly Adapter[] = [
  rows,
  image,
  vega,
  vegaView,
  toMethods,
  plotly,
  tensor,
  // An element may be a canvas as well, which says more.
  canvas,
  element,
  danfo,
  arquero,
  polars,
  arrow,
  arrowVector,
  duckdb,
  duckdbReader,
];

/** The bundle of an object that some adapter shows; undefined for any other, and for one that only looks like it. */
export function adapted(value: object): MimeBundle | Promise<MimeBundle | undefined> | undefined {
  for (const one of adapters) {
    try {
      if (!one.fits(value)) continue;
      const bundle = one.bundle(value);
      if (isPromise(bundle)) return bundle.catch(() => undefined);
      if (bundle !== undefined) return bundle;
    } catch {
      // A proxy that refuses, or an object that only looks like one of a library's: it is printed as what it is.
    }
  }
  return undefined;
}
