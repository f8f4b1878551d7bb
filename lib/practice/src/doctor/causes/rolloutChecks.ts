import { path } from "turnwise/internal/base/host/index";
import type { View } from "../view";
import type { LossMask } from "../rollouts/lossMask";
import type { MaskCheck } from "../rollouts/maskCheck";

/** A check of stored rollouts that found something. */
interface FoundCheck {
  readonly file: string;
  readonly check: Extract<MaskCheck, { readonly found: number }>;
  readonly mask: LossMask;
}

/** The files of rollouts in which a check found something. */
export function checksOf(
  { rollouts }: View,
  name: Exclude<keyof LossMask, "isStored">,
): readonly FoundCheck[] {
  return rollouts.flatMap(({ guess, census: { mask } }) => {
    const check = mask[name];
    return "why" in check || check.found === 0 ? [] : [{ file: path.basename(guess.path), check, mask }];
  });
}
