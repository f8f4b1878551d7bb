import { adapter } from "./contract.js";
import { hasMethods } from "./traits.js";

/** A running chart of Vega, as the picture that it is now. */
export const vegaView = adapter<{ toSVG(): Promise<string> }>({
  shows: "views of Vega (`vega.View`)",
  types: ["image/svg+xml"],
  fits: (value): value is { toSVG(): Promise<string> } =>
    hasMethods(value, "toSVG", "toCanvas", "runAsync", "signal", "scenegraph"),
  bundle: async (view) => ({ "image/svg+xml": await view.toSVG(), "text/plain": "<Vega chart>" }),
});
