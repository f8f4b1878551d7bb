import { make } from "turnwise/internal/env/index";
import type { Claim } from "turnwise/internal/plot/ledger";
import { effectText } from "turnwise/internal/verdict/effectText";
import { measured } from "../shared/measured";
import { retold } from "../shared/retold";
import { storedTable, type StoredRecord } from "../shared/storedTable";
import { curriculumClaims, stepClaims } from "./claims";
import { optimaUnderVerifiers, verifiers } from "./fallibleVerifier";
import { goodhartWorld } from "./goodhartRun";
import { climbingClaims, optimumClaims } from "./proxyClaims";
import { numbers, paired } from "../shared/samples";
import { mixedOptimum, scoreOfOptimum } from "./scoreOfOptimum";
import { verifierClaims } from "./verifierClaims";

/** The ledger of the lesson on the reward signal. */
export function rewardSignalLesson(): Claim[] {
  const table = (name: string): StoredRecord[] => storedTable(measured(name));
  const goodhart = table("goodhart");
  const verifier = table("verifier");
  const calculator = table("reward-calculator");
  const codebreaker = table("reward-codebreaker");
  const free = scoreOfOptimum(make("Calculator-v0", { reward: "proxy" }));
  const costly = {
    outcome: scoreOfOptimum(goodhartWorld("outcome")),
    verification: scoreOfOptimum(goodhartWorld("verification")),
    proxy: scoreOfOptimum(goodhartWorld("proxy")),
  };
  const mixed = [0.1, 0.3].map((weight) => mixedOptimum(goodhartWorld("proxy"), weight));
  const rows = [
    ...optimumClaims({ free, costly, mixed }),
    ...climbingClaims(goodhart),
    ...verifierClaims({ verifier, trusted: optimaUnderVerifiers() }),
    ...stepClaims({ calculator, codebreaker }),
    ...curriculumClaims(table("curriculum")),
  ];
  const end = (arm: string): number[] => column(goodhart, { arm, update: 400 }, "score");
  const trusted = (name: string): number[] => column(verifier, { verifier: name, update: 200 }, "score");
  const ownReward = (from: readonly StoredRecord[], reward: string): number[] =>
    column(from, { reward, credit: "reward" }, "score");
  const checklist = (from: readonly StoredRecord[]): string =>
    effectText(paired(ownReward(from, "checklist"), ownReward(from, "outcome")));
  return retold(rows, [
    {
      of: "An agent that is optimal for a proxy can be useless",
      claim: "The best agent for a proxy can be useless",
      source: "Goodhart's law",
      measured: `lowest true score of a best agent: calls are free ${free.low.toFixed(2)}, a call costs .1 ${costly.proxy.low.toFixed(2)}, paid for the outcome ${costly.outcome.low.toFixed(2)}`,
    },
    {
      of: "Who climbs the proxy loses true score",
      claim: "Climbing the proxy costs true score",
      source: "Gao et al., arXiv 2210.10760",
      measured: `true score lost, from the first twentieth of the updates to the last: ${effectText(paired(column(goodhart, { arm: "proxy", update: 20 }, "score"), end("proxy")))}`,
    },
    {
      of: "A KL penalty prevents the loss",
      claim: "A KL penalty to the start keeps the true score",
      measured: `kept at the end, weight .1: exact KL ${effectText(paired(end("proxy, exact KL .1"), end("proxy")))}, k3 ${effectText(paired(end("proxy, k3 .1"), end("proxy")))}`,
    },
    {
      of: "A verifier that fails spoils the training",
      source: "this lesson",
      measured: `true score lost: ${Object.keys(verifiers)
        .slice(1)
        .map((name) => `${name} ${effectText(paired(trusted("never errs"), trusted(name)))}`)
        .join(", ")}`,
    },
    {
      of: "A checklist helps wherever there is one",
      source: "this lesson",
      measured: `true score gained over the outcome, credit for a turn's own reward: Calculator ${checklist(calculator)}, Codebreaker ${checklist(codebreaker)}`,
    },
    {
      of: "It is faster than a uniform mixture of levels",
      claim: "An adaptive curriculum is faster than a plain mixture of levels",
      source: "this lesson",
    },
  ]);
}

function column(
  rows: readonly StoredRecord[],
  where: Readonly<Record<string, string | number>>,
  name: string,
): number[] {
  return numbers(
    rows.filter((row) => Object.entries(where).every(([key, value]) => row[key] === value)),
    name,
  );
}
