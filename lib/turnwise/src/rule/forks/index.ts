import { choice, renamedWords, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import { atTurn } from "./atTurn";
import type { Forks } from "./contract";
import { entropy } from "./entropy";
import { none } from "./none";
import { random } from "./random";
import { sparse } from "./sparse";
import { uncertain } from "./uncertain";

/** Every plan of forks that has a name; the first is the default of a rule. */
export const forkPlans = { none, atTurn, random, entropy, uncertain, sparse };

export const forksChoice = renamedWords(
  { unsure: "uncertain" },
  choice("kind", fieldsOf(forkPlans), {
    help: "Which trajectories leave others in the middle of an episode and share what came before.",
  }),
);

/** @throws {RangeError} if the kind is unknown */
export const forksOf = ({ kind }: Static<typeof forksChoice>): Forks =>
  named<Forks>(forkPlans, "forks.kind", kind);
