import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import { cispo } from "./cispo";
import { clip } from "./clip";
import type { Gate } from "./contract";
import { customGate } from "./custom";
import { dppo } from "./dppo";
import { dro } from "./dro";
import { dualClip } from "./dualClip";
import { fairClip } from "./fairClip";
import { gamma } from "./gamma";
import { logClip } from "./logClip";
import { none } from "./none";
import { offPolicyMask } from "./offPolicyMask";
import { rlPlus } from "./rlPlus";
import { sapo } from "./sapo";
import { secondMoment } from "./secondMoment";
import { standingClip } from "./standingClip";
import { unclipped } from "./unclipped";

/** Every gate that has a name; the first is the default of a rule. */
export const gates = {
  none,
  unclipped,
  clip,
  dualClip,
  sapo,
  cispo,
  logClip,
  dppo,
  rlPlus,
  gamma,
  secondMoment,
  offPolicyMask,
  fairClip,
  dro,
  standingClip,
};

export const gateChoice = choice("kind", fieldsOf({ ...gates, custom: customGate({ through: "ratio" }) }), {
  help: "Surrogate objective per token, given its ratio and advantage.",
});

export type GateChoice = Static<typeof gateChoice>;

/** @throws {RangeError} if the kind is unknown */
export const gateOf = (choice: GateChoice): Gate =>
  choice.kind === "custom" ? customGate(choice) : named<Gate>(gates, "gate.kind", choice.kind);
