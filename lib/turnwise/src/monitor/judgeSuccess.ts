import type { Drop } from "./drop";
import { WINDOW } from "./fall";
import { FallWatch, FEWEST } from "./fallWatch";

/** Whether success has fallen, as far as a log tells. */
export type SuccessVerdict =
  | { readonly kind: "fell"; readonly drop: Drop; readonly checked: number }
  /** It was checked and has not fallen; `drop` is one that chance makes as easily. */
  | { readonly kind: "held"; readonly drop: Drop | undefined; readonly checked: number }
  | {
      readonly kind: "unknown";
      readonly why: string;
      readonly drop: Drop | undefined;
      readonly checked: number;
    };

/**
 * Whether the success of a run has fallen, at any scale, and be it that it recovered. It is unknown where too few records have it, where
 * the last ones lack it, where it was 0 throughout, so that it had nothing to fall from, and where a drop may be slow noise.
 *
 * @param watch what has looked at the same values as they came; by default it looks at them now
 */
export function judgeSuccess(
  success: readonly (number | undefined)[],
  watch: FallWatch = watched(success),
): SuccessVerdict {
  const known = success.flatMap((x, i) => (x !== undefined && Number.isFinite(x) ? [i] : []));
  const checked = known.length;
  const drop = watch.end();
  const unknown = (why: string): SuccessVerdict => ({ kind: "unknown", why, drop, checked });
  if (checked === 0) return unknown("no step logs a reward or success");
  if (checked < FEWEST) {
    return unknown(
      `only ${checked}${checked === success.length ? "" : ` of ${success.length}`} ${checked === 1 ? "step logs" : "steps log"} a reward or success, and ${FEWEST} are needed`,
    );
  }
  if (drop?.isFall) return { kind: "fell", drop, checked };
  const after = success.length - 1 - known.at(-1)!;
  const usual = (known.at(-1)! - known[0]!) / (checked - 1);
  if (after >= WINDOW && after > 3 * usual)
    return unknown(`the last ${after} steps log no reward or success`);
  if (known.every((i) => success[i] === 0)) {
    return unknown(`it was 0 at all ${checked} steps, so that it had nothing to fall from`);
  }
  if (drop?.isUnclear) {
    return unknown(
      "it dropped, and noise lasts from step to step here, so that a fall cannot be told from slow noise",
    );
  }
  return { kind: "held", drop, checked };
}

/** A series that was looked at after every value. */
function watched(success: readonly (number | undefined)[]): FallWatch {
  const watch = new FallWatch();
  for (const value of success) watch.push(value);
  return watch;
}
