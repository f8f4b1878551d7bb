import { log } from "../../base/elementary/log";
import { tokenGame, tokenPolicy, type TokenGame, type TokenPolicy } from "./tokenGame";

/** A game with the policy under which a rule is looked at. */
export interface Case {
  readonly game: TokenGame;
  readonly policy: TokenPolicy;
}

/** The policy of the given probabilities, state by state. */
export function policyOf(game: TokenGame, rows: Readonly<Record<string, readonly number[]>>): TokenPolicy {
  return tokenPolicy(game, Float64Array.from(game.states.flatMap(({ name }) => rows[name]!.map(log))));
}

/** One turn of one token: .1 for sure, or 1 with probability 1/4. The other games pay eighths, whose sums are exact: ties stay ties. */
function jackpot(): Case {
  const game = tokenGame("jackpot", ["arms"], (play) => {
    play.turn("arms");
    if (play.choose("arms", ["safe", "risky"]) === "safe") play.reward(0.1);
    else play.reward(play.chance([[1, 0.25], [0, 0.75]])); // prettier-ignore
  });
  return { game, policy: policyOf(game, { arms: [0.5, 0.5] }) };
}

/**
 * Guess a color at once, or look it up for 1/8: the tool's answer is a forced token, after which the turn that answers has
 * one token more. Turns are of one to three tokens, trajectories of one or two turns.
 */
function lookUp(): Case {
  const game = tokenGame("look up", ["color"], (play) => {
    play.turn("question");
    const truth = play.chance([["red", 0.6], ["blue", 0.4]]); // prettier-ignore
    if (play.choose("question", ["guess", "look"]) === "guess") {
      play.reward(play.choose("guess", ["red", "blue"]) === truth ? 1 : 0);
      return;
    }
    play.force(truth);
    play.reward(-1 / 8);
    play.turn(truth);
    play.reward(play.choose(`told ${truth}`, ["red", "blue"]) === truth ? 1 : 0);
  });
  return {
    game,
    policy: policyOf(game, {
      question: [0.6, 0.4],
      guess: [0.7, 0.3],
      "told red": [0.75, 0.25],
      "told blue": [0.4, 0.6],
    }),
  };
}

/**
 * Two turns that are paid apart: what the first earns says nothing of the second. A long answer has two tokens more than a
 * short one, of which the world puts the first.
 */
function twoJobs(): Case {
  const game = tokenGame("two jobs", ["easy", "hard"], (play, task) => {
    const pay = task === "easy" ? 1 : 3 / 8;
    play.turn(task);
    play.reward(play.choose(`first, ${task}`, ["right", "wrong"]) === "right" ? pay : 0);
    play.force("next");
    play.turn("next");
    if (play.choose("length", ["short", "long"]) === "long") {
      play.force("and");
      play.reward(play.choose("last", ["good", "bad"]) === "good" ? 7 / 8 : 1 / 4);
    } else {
      play.reward(5 / 8);
    }
  });
  return {
    game,
    policy: policyOf(game, {
      "first, easy": [0.5, 0.5],
      "first, hard": [0.3, 0.7],
      length: [0.6, 0.4],
      last: [0.4, 0.6],
    }),
  };
}

/** The three games on which a rule's expected update is compared with the exact gradient. */
export const cases = { jackpot: jackpot(), lookUp: lookUp(), twoJobs: twoJobs() } as const;
