import type { Claim } from "../plot/ledger";
import { agenticPomdpLesson } from "./agenticPomdp/lesson";
import { echoTrapLesson } from "./echoTrap/lesson";
import { grpoLesson } from "./grpo/lesson";
import { offPolicyLesson } from "./offPolicy/lesson";
import { languageModelLesson } from "./languageModel/lesson";
import { ownRunLesson } from "./ownRun/lesson";
import { rewardSignalLesson } from "./rewardSignal/lesson";
import { searchLesson } from "./search/lesson";
import { startHereLesson } from "./startHere/lesson";
import { impossibilityLesson } from "./impossibility/lesson";
import { stepCreditLesson } from "./stepCredit/lesson";
import { teachersLesson } from "./teachers/lesson";
import { updateOrderLesson } from "./updateOrder/lesson";

/** The ledger of a lesson: computed from the stored tables when it is first asked for. */
type Lesson = readonly Claim[];

const lessons = {
  startHere: startHereLesson,
  grpo: grpoLesson,
  impossibility: impossibilityLesson,
  updateOrder: updateOrderLesson,
  echoTrap: echoTrapLesson,
  offPolicy: offPolicyLesson,
  agenticPomdp: agenticPomdpLesson,
  rewardSignal: rewardSignalLesson,
  stepCredit: stepCreditLesson,
  search: searchLesson,
  languageModel: languageModelLesson,
  ownRun: ownRunLesson,
  teachers: teachersLesson,
} satisfies Record<string, () => Lesson>;

type LessonName = keyof typeof lessons;

/**
 * The four to six claims of each lesson, decided on the stored runs; the appendix of a lesson has all of them.
 *
 * @example
 * import { ledger } from "turnwise";
 * import { claims } from "turnwise/study";
 * ledger(claims.echoTrap).rows.length; // => 6
 */
export const claims: Readonly<Record<LessonName, Lesson>> = lazily(lessons);

function lazily<K extends string>(makers: Readonly<Record<K, () => Lesson>>): Readonly<Record<K, Lesson>> {
  const made = new Map<K, Lesson>();
  const all = {} as Record<K, Lesson>;
  for (const name of Object.keys(makers) as K[]) {
    Object.defineProperty(all, name, {
      enumerable: true,
      get(): Lesson {
        if (!made.has(name)) made.set(name, makers[name]());
        return made.get(name)!;
      },
    });
  }
  return all;
}
