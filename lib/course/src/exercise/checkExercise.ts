import { checkCarry, type CarryAnswer } from "../03-update-order-ablation/exercise/carry";
import { checkClipGate, type ClipGateAnswer } from "../05-off-policy-stability/exercise/clipGate";
import { checkEchoTrap, type EchoTrapAnswer } from "../04-echo-trap/exercise/echoTrap";
import {
  checkExpectedPush,
  type ExpectedPushAnswer,
} from "../02-impossibility-theorem/exercise/expectedPush";
import {
  checkGroupAdvantage,
  type GroupAdvantageAnswer,
} from "../01-grpo-from-scratch/exercise/groupAdvantage";
import { checkInformationGain, type InformationGainAnswer } from "../08-step-credit/exercise/informationGain";
import { checkLeaveOneOut, type LeaveOneOutAnswer } from "../01-grpo-from-scratch/exercise/leaveOneOut";
import { checkMaskedLoss, type MaskedLossAnswer } from "../06-agentic-pomdp/exercise/maskedLoss";
import { checkOneKnob, type OneKnobAnswer } from "../00-start-here/exercise/oneKnob";
import { checkTokenLogProb, type TokenLogProbAnswer } from "../10-language-model/exercise/tokenLogProb";
import { checkTwoShares, type TwoSharesAnswer } from "../09-search-and-world-models/exercise/twoShares";
import { checkTurnRatio, type TurnRatioAnswer } from "../05-off-policy-stability/exercise/turnRatio";
import {
  checkUnearnedSilence,
  type UnearnedSilenceAnswer,
} from "../11-your-own-run/exercise/unearnedSilence";
import { checkVerifier, type VerifierAnswer } from "../07-reward-signal/exercise/verifier";
import { expectFresh, expectFunction, type Passed } from "../shared/exercise/verdict";
import { checkWorthOfLooking, type WorthOfLookingAnswer } from "../06-agentic-pomdp/exercise/worthOfLooking";

/** The kind of answer that each exercise takes. */
export interface ExerciseAnswers {
  readonly groupAdvantage: GroupAdvantageAnswer;
  readonly leaveOneOut: LeaveOneOutAnswer;
  readonly turnRatio: TurnRatioAnswer;
  readonly carry: CarryAnswer;
  readonly maskedLoss: MaskedLossAnswer;
  readonly echoTrap: EchoTrapAnswer;
  readonly oneKnob: OneKnobAnswer;
  readonly twoShares: TwoSharesAnswer;
  readonly verifier: VerifierAnswer;
  readonly expectedPush: ExpectedPushAnswer;
  readonly clipGate: ClipGateAnswer;
  readonly worthOfLooking: WorthOfLookingAnswer;
  readonly informationGain: InformationGainAnswer;
  readonly tokenLogProb: TokenLogProbAnswer;
  readonly unearnedSilence: UnearnedSilenceAnswer;
}

export type ExerciseName = keyof ExerciseAnswers;

const functions = {
  groupAdvantage: checkGroupAdvantage,
  leaveOneOut: checkLeaveOneOut,
  turnRatio: checkTurnRatio,
  carry: checkCarry,
  maskedLoss: checkMaskedLoss,
  echoTrap: checkEchoTrap,
  twoShares: checkTwoShares,
  verifier: checkVerifier,
  expectedPush: checkExpectedPush,
  clipGate: checkClipGate,
  worthOfLooking: checkWorthOfLooking,
  informationGain: checkInformationGain,
  tokenLogProb: checkTokenLogProb,
  unearnedSilence: checkUnearnedSilence,
};

/** The names that `checkExercise` knows. */
export const exerciseNames: readonly ExerciseName[] = [
  ...(Object.keys(functions) as ExerciseName[]),
  "oneKnob",
];

/**
 * Tries an answer to an exercise on hidden inputs: returns a line that says it passed, or throws a sentence that says what is
 * wrong, but never how to do it right.
 *
 * It writes nothing to any stream, because some graders take output on stderr for a failure. `oneKnob` trains: await it.
 *
 * @throws {NotYet} if the answer is not right, or is an earlier one because the cell that defines it has failed since
 * @throws {TypeError} if it is not of the exercise's kind
 * @throws {RangeError} if the exercise is unknown
 * @example
 * import { checkExercise } from "turnwise-course";
 * const answer = (reward: readonly number[], group: readonly (string | number)[]): number[] =>
 *   reward.map((r, n) => {
 *     const own = reward.filter((_, m) => group[m] === group[n]);
 *     return r - own.reduce((sum, x) => sum + x, 0) / own.length;
 *   });
 * checkExercise("groupAdvantage", answer);
 */
export function checkExercise(exercise: "oneKnob", answer: OneKnobAnswer): Promise<Passed>;
export function checkExercise<Name extends Exclude<ExerciseName, "oneKnob">>(
  exercise: Name,
  answer: ExerciseAnswers[Name],
): Passed;
export function checkExercise(exercise: ExerciseName, answer: unknown): Passed | Promise<Passed> {
  if (!exerciseNames.includes(exercise)) {
    throw new RangeError(
      `Cannot check an answer: the exercise must be one of ${exerciseNames.join(", ")}, got "${String(exercise)}".`,
    );
  }
  expectFresh(exercise);
  if (exercise === "oneKnob") return checkOneKnob(answer as OneKnobAnswer);
  expectFunction(exercise, answer);
  return (functions[exercise] as (answer: unknown) => Passed)(answer);
}
