import type { Claim } from "turnwise/internal/plot/ledger";
import { agenticPomdpLesson } from "./06-agentic-pomdp/lesson";
import { echoTrapLesson } from "./04-echo-trap/lesson";
import { grpoLesson } from "./01-grpo-from-scratch/lesson";
import { offPolicyLesson } from "./05-off-policy-stability/lesson";
import { languageModelLesson } from "./10-language-model/lesson";
import { ownRunLesson } from "./11-your-own-run/lesson";
import { rewardSignalLesson } from "./07-reward-signal/lesson";
import { searchLesson } from "./09-search-and-world-models/lesson";
import { startHereLesson } from "./00-start-here/lesson";
import { impossibilityLesson } from "./02-impossibility-theorem/lesson";
import { stepCreditLesson } from "./08-step-credit/lesson";
import { newRulesLesson } from "./newRules/claims";
import { systemsLesson } from "./systems/claims";
import { teachersLesson } from "./teachers/lesson";
import { updateOrderLesson } from "./03-update-order-ablation/lesson";

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
  newRules: newRulesLesson,
  systems: systemsLesson,
} satisfies Record<string, () => Lesson>;

type LessonName = keyof typeof lessons;

/**
 * The four to six claims of each lesson, decided on the stored runs; the appendix of a lesson has all of them.
 *
 * @example
 * import { ledger } from "turnwise";
 * import { claims } from "turnwise-course";
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
