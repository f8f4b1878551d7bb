import type { DialectName } from "../../configs/dialects";
import { ifKnown } from "../../lint/contract";
import type { View } from "../view";
import { eventInWords, eventsIn, precedence, timing, type CauseKind } from "./contract";

/** A KL to the reference that a penalty should have held. */
const FAR = 1;
/** By what factor it grows. */
const GROWN = 50;

/**
 * The rise of a KL that is charged, in a log of verl as it was when it took the KL off the loss: until March 2025 `policy_loss - kl_loss *
 * coef`, which many copies still have. Its name of entropy then was `actor/entropy_loss`.
 */
export function reversedKl(view: View): { readonly text: string; readonly weight: number } | undefined {
  const { run, subject } = view;
  if (run === undefined || run.log.release?.trainer !== "verl") return undefined;
  const [far] = eventsIn(view, ["policy/klReference"], true).filter(
    ({ extreme, before }) => extreme > FAR && extreme > GROWN * Math.abs(before),
  );
  if (far === undefined || far.recovered) return undefined;
  const isCharged = view.config === undefined ? run.log.release.charges : isOn(view);
  if (!isCharged) return undefined;
  const shown = subject?.gives("klLossCoef") === true ? ` (${subject.shown("klLossCoef")})` : "";
  return {
    text: `${eventInWords(far)}, although it is charged in the loss${shown}`,
    weight: 45 + timing(view, far) + precedence(view, far),
  };
}

/** Trainers whose copy of verl is of that time. */
const copies: readonly (DialectName | undefined)[] = [undefined, "search-r1", "ragen-2025-03"];

function isOn({ config, subject }: View): boolean {
  if (subject?.trainer !== "verl" || !copies.includes(config?.lint.dialect)) return false;
  return ifKnown(() => subject.isOn("klInLoss"), false);
}

export const klReversed: CauseKind = {
  title: "the KL to the reference is paid for instead of charged: the sign of its loss is reversed",
  section: "kl-spikes",
  lesson: "04-echo-trap",
  basis:
    "released code: verl of before March 2025 and copies of it; a log of that time whose KL grows a hundredfold while it is charged (45, more if it came first; threads: 1 of 97)",
  look: (view) => {
    const found = reversedKl(view);
    if (found === undefined) return undefined;
    return {
      evidence: [
        found.text,
        "the log has actor/entropy_loss, a name of verl's of early 2025: before March 2025 it and its copies computed policy_loss - kl_loss * kl_loss_coef, which pays for every step away from the reference; a65c915 of volcengine/verl corrects it",
      ],
      weight: found.weight,
      change: [],
      advice:
        "look for the line with kl_loss_coef in dp_actor.py: it must be policy_loss + kl_loss * kl_loss_coef; until that is so, set actor_rollout_ref.actor.use_kl_loss=False, and do not raise the coefficient, which makes it worse",
    };
  },
};
