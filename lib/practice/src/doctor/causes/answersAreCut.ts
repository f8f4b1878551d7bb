import {
  eventInWords,
  eventsIn,
  have,
  lintInWords,
  lintOf,
  meanOf,
  numberIn,
  precedence,
  timing,
  type CauseKind,
} from "./contract";
import { mean } from "turnwise/internal/base/statistics";
import { valuesOf } from "../../report/klSign";
import { isUnfinished, NEARLY_ALL_CUT } from "../../report/learned";
import { isContradicted } from "./endsUnseen";

/** A limit that answers with some reasoning fit into. */
const ROOM = 1024;
/** A mean length above this share of the limit, over so many of the last steps, is one of answers most of which are cut. */
const AT_LIMIT = 0.9;
const LAST = 5;

export const answersAreCut: CauseKind = {
  title: "answers run into the limit of their length",
  section: "cut-answers",
  lesson: "10-language-model",
  basis:
    "public logs: 2 of 18 healthy ones have it (40); threads: 4 of 45, where nearly all answers were cut (76)",
  look: (view) => {
    const cut = eventsIn(view, ["tokens/fracTruncated"], true);
    const longer = eventsIn(view, ["tokens/mean"], true);
    const share = meanOf(view, "tokens/fracTruncated");
    const config = lintOf(view, "short-answers", "truncated-as-failures", "length-bias");
    const counted = view.rollouts.filter(({ census }) => census.truncated > 0.2);
    const [first] = cut;
    const always = share !== undefined && share > 0.3;
    const [less] = eventsIn(view, ["tokens/fracTruncated"], false);
    const [shorter] = eventsIn(view, ["tokens/mean"], false);
    // Cut answers earn nothing, and so a limit that is too low teaches short ones.
    const taught = less !== undefined && shorter !== undefined && less.before > 0.2;
    const nearlyAll = share !== undefined && share > NEARLY_ALL_CUT;
    // A run can live with cut answers as long as it learns from their rewards.
    const holds = view.run?.verdict.success.kind === "held" && !isUnfinished(view.run.records);
    const [most, length] = [numberIn(view, "maxResponse"), meanOf(view, "tokens/mean")];
    const last = valuesOf(view.run?.records ?? [], "tokens/mean").slice(-LAST);
    // Where the share is not logged, a mean that is next to the limit says the same.
    const isAtLimit =
      share === undefined && most !== undefined && last.length === LAST && mean(last) > AT_LIMIT * most;
    if (first === undefined && !always && !taught && counted.length === 0 && !isAtLimit) return undefined;
    // They cannot have run into it.
    const isUnseen =
      share !== undefined &&
      most !== undefined &&
      length !== undefined &&
      isContradicted(share, length, most);
    const said = [
      ...cut.map(eventInWords),
      ...(first === undefined && always
        ? [`${Math.round(100 * share)}% of answers are cut, as a mean over the run`]
        : []),
      ...(taught
        ? [
            `${Math.round(100 * less.before)}% of answers were cut at first, and they became shorter: ${eventInWords(shorter)}`,
          ]
        : []),
      ...(isAtLimit
        ? [
            `at the end answers are ${Math.round(mean(last))} tokens long on average, of ${most} that the limit allows, so that most are cut`,
          ]
        : []),
      ...longer.map(eventInWords),
      ...counted.map(
        ({ census }) =>
          `${Math.round(100 * census.truncated)}% of ${census.trajectories} stored rollouts are cut`,
      ),
      ...config.map(lintInWords),
    ];
    // Where all are cut, their length is the limit.
    const limit = most ?? (nearlyAll && length !== undefined ? Math.round(length / share) : undefined);
    // A policy that lost its words writes on to any limit.
    const [exploded] = eventsIn(view, ["policy/entropy"], true);
    const begins = first ?? (isAtLimit ? longer[0] : undefined);
    const isResult = begins !== undefined && exploded !== undefined && exploded.from < begins.from;
    return {
      evidence: said,
      weight:
        (isUnseen ? 20 : nearlyAll && !holds ? 76 : 40) +
        (begins ? timing(view, begins) + precedence(view, begins) : 0) +
        3 * config.length,
      change: isResult
        ? []
        : [
            ...(limit === undefined
              ? []
              : have(view, { setting: "maxResponse", value: Math.max(2 * limit, nearlyAll ? ROOM : 0) })),
            // To leave out nearly all of them leaves nothing to learn from.
            ...(nearlyAll ? [] : have(view, { setting: "maskTruncated", value: true })),
          ],
      advice: isResult
        ? "leave the limit as it is: entropy rose before, so that the long answers are its result"
        : "read some of the cut answers first: those that repeat themselves need another remedy than those that were not done",
    };
  },
};
