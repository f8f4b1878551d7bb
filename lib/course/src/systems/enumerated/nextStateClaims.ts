import { log } from "turnwise/internal/base/elementary/log";
import type { Claim } from "turnwise/internal/plot/ledger";
import { exactly } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { enumeratedEffects } from "./design";
import { directivePull, nextStateJudges, type JudgesName, type NextStateArmName } from "./nextState";
import { WORDS } from "./nextStateWorld";
import { effect, reader, text, type Rows, type Sample } from "./rows";

const { score } = enumeratedEffects;

/** The claims about learning from each next state. */
export function nextStateClaims(runs: Rows): Claim[] {
  const of = reader(runs, "next states");
  const judges = Object.keys(nextStateJudges) as JudgesName[];
  const onTheWay = (arm: NextStateArmName, condition: JudgesName): Sample =>
    of({ arm, condition: arm === "outcome alone" ? "good" : condition, column: "second" });
  const compared = (a: NextStateArmName, b: NextStateArmName) => ({
    conditions: judges.map((name) => ({
      setting: { judges: name },
      effect: effect(onTheWay(a, name), onTheWay(b, name)),
    })),
    smallestEffectOfInterest: score,
  });
  const shown = (a: NextStateArmName, b: NextStateArmName): string =>
    judges.map((name) => `${name}: ${text(onTheWay(a, name))} against ${text(onTheWay(b, name))}`).join("; ");
  const pull = directivePull(new Float64Array(WORDS).fill(-log(WORDS)), { said: 0, directive: 1, other: 2 });
  const found = verdicts({
    votes: compared("votes", "outcome alone"),
    both: compared("votes and directives", "votes"),
    said: compared("directives at the said word", "votes"),
    all: compared("directives at all words", "directives at the said word"),
    pull: { effect: exactly(pull.said), smallestEffectOfInterest: score },
    pullAll: { effect: exactly(pull.all), smallestEffectOfInterest: score },
  });
  const source = "OpenClaw-RL, 2603.10165 [P], in small";
  return [
    {
      claim: "Votes on each next state teach faster than the outcome alone",
      source,
      measured: `mean success over the run, ${shown("votes", "outcome alone")}`,
      verdict: found.votes,
    },
    {
      claim: "Votes and directives together teach faster than votes",
      source,
      measured: shown("votes and directives", "votes"),
      verdict: found.both,
    },
    {
      claim: "Directives alone, distilled at the word that was said, teach faster than votes",
      source,
      measured: shown("directives at the said word", "votes"),
      verdict: found.said,
    },
    {
      claim: "Distilled at all words, directives teach faster than at the word that was said",
      source: `${source}, openclaw-opd`,
      measured: shown("directives at all words", "directives at the said word"),
      verdict: found.all,
    },
    {
      claim: "At the word that was said, a directive raises the word that it names more than others",
      source: "derived [D]",
      measured: `difference of the logits' gradients at a uniform policy: ${pull.said.toFixed(3)}`,
      verdict: found.pull,
    },
    {
      claim: "At all words, it does",
      source: "derived [D]",
      measured: `the same: ${pull.all.toFixed(3)}`,
      verdict: found.pullAll,
    },
  ];
}
