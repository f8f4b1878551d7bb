import type { Recipe } from "turnwise/internal/rule/index";
import type { Change } from "../contract";
import type { Subject } from "../subject";

/** Distance of a gate's bound above 1; undefined if it has none. */
export function widthOf(gate: Recipe["gate"]): number | undefined {
  if (gate.kind === "clip" || gate.kind === "dualClip" || gate.kind === "offPolicyMask") return gate.clipHigh;
  if (gate.kind === "logClip") return gate.logHigh;
  return undefined;
}

/** Other bounds, by whatever a trainer calls them. */
export function bounds(s: Subject, low = 0.2, high = 0.28): readonly Change[] {
  return s.either(
    [
      { setting: "clipLow", value: low },
      { setting: "clipHigh", value: high },
    ],
    [{ setting: "clip", value: low }],
  );
}
