import { expectWhole } from "../../base/expect";
import { buildTree, type Tree } from "../tree";
import type { NodeSpec } from "../treeSpec";
import { checkProbability } from "./check";

/**
 * Guess for a small sure reward, or look the fact up and answer in the second turn.
 *
 * Shows what the group's standard deviation does wrong over two turns. The optimum is `pays` (look up, then answer what the
 * tool said), yet while answers are still poor, the lookup loses more often than it wins and is unlearned.
 * With uniform answers J = (1 - p) guessReward + p pays / facts with p = pi(lookup): (.5)(.1) + (.5)(1/4) = .175.
 *
 * @param o.facts number of facts (4)
 * @param o.guessReward what the guess pays (.1)
 * @param o.pays probability that the right answer pays 1; below 1 the tool is noisy (1)
 */
export function guessOrLookUp(o: { facts?: number; guessReward?: number; pays?: number } = {}): Tree {
  const { facts = 4, guessReward = 0.1, pays = 1 } = o;
  expectWhole("make game guessOrLookUp", "facts", facts, 2);
  checkProbability("guessOrLookUp", "pays", pays);
  const fact = Array.from({ length: facts }, (_, c) => c);
  const told = fact.map((c): [string, NodeSpec] => {
    const right = [
      { probability: pays, reward: 1 },
      { probability: 1 - pays, reward: 0 },
    ];
    const actions = Object.fromEntries(fact.map((a) => [`answer ${a}`, a === c ? right : 0]));
    return [`told ${c}`, { actions }];
  });
  return buildTree({
    name: pays === 1 ? "guess or look up" : "guess or look up, noisy tool",
    start: [{ node: "question" }],
    nodes: {
      question: {
        actions: {
          guess: guessReward,
          lookup: fact.map((c) => ({ probability: 1 / facts, next: `told ${c}` })),
        },
      },
      ...Object.fromEntries(told),
    },
  });
}

/**
 * Turn 1 sees a bit and writes a note; turn 2 sees only the note and must name the bit.
 *
 * With such limited memory, reverse order settles on always naming the likelier bit (J = `likely`), while forward order lets
 * turn 1 become truthful and reaches 1. Theorem 2 of SeeUPO assumes the full history.
 *
 * @param o.likely probability of bit 0 (.7)
 * @see SeeUPO, arXiv 2602.06554, Theorem 2
 */
export function note(o: { likely?: number } = {}): Tree {
  const { likely = 0.7 } = o;
  checkProbability("note", "likely", likely);
  const nodes: Record<string, NodeSpec> = {};
  for (const bit of [0, 1]) {
    nodes[`bit ${bit}`] = {
      actions: { "write 0": { next: `bit ${bit}, note 0` }, "write 1": { next: `bit ${bit}, note 1` } },
    };
    for (const written of [0, 1]) {
      nodes[`bit ${bit}, note ${written}`] = {
        sees: `note ${written}`,
        actions: { "say 0": bit === 0 ? 1 : 0, "say 1": bit === 1 ? 1 : 0 },
      };
    }
  }
  return buildTree({
    name: "note",
    start: [
      { node: "bit 0", probability: likely, task: "note" },
      { node: "bit 1", probability: 1 - likely, task: "note" },
    ],
    nodes,
  });
}
