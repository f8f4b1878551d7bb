// Uses internals of turnwise/schema.
import assert from "node:assert/strict";
import { recipe, recipes } from "turnwise";
import { recipeNeeds } from "turnwise/internal/rule/index";
import { advantageKinds, advantageOf, type AdvantageChoice } from "turnwise/internal/rule/advantage/index";
import { fieldsOf, named } from "turnwise/internal/rule/part";
import { recipeSchema } from "turnwise/internal/rule/schema";
import { knobsOf } from "turnwise/internal/schema/index";

const kinds = Object.keys(advantageKinds) as AdvantageChoice["kind"][];
const choose = (advantage: object): AdvantageChoice => ({
  ...recipe("ppo", {
    advantage: advantage as AdvantageChoice,
    scale: "none",
    update: { minibatches: 1 },
  }).advantage,
});
const those = (holds: (kind: AdvantageChoice) => boolean): string[] =>
  kinds.filter((kind) => holds({ kind } as AdvantageChoice));

describe("advantageKinds", () => {
  it("say for themselves what a row may ask of them", () => {
    assert.deepEqual(
      those((one) => advantageOf(one).comparesGroups),
      [
        "mean",
        "leaveOneOut",
        "perTurn",
        "perPosition",
        "episodePlusStep",
        "outcomePlusStep",
        "verdictSign",
        "gigpo",
        "tree",
        "subtree",
        "step",
        "lengthWeighted",
        "outcomePlusTurn",
        "hgpo",
        "agentPlusStep",
        "optimalToken",
        "components",
        "bestOfGroup",
        "belief",
        "optimalTrajectory",
        "stateGraph",
        "target",
        "hindsight",
        "outcomePlusGains",
      ],
    );
    assert.deepEqual(
      those((one) => advantageOf(one).scalesItself),
      [
        "episodePlusStep",
        "gigpo",
        "tree",
        "outcomePlusTurn",
        "hgpo",
        "components",
        "stateGraph",
        "target",
        "hindsight",
        "outcomePlusGains",
      ],
    );
    assert.deepEqual(
      those((one) => advantageOf(one).needsCritic),
      ["gae", "biLevelGae", "hierarchical"],
    );
    assert.deepEqual(
      those((one) => advantageOf(one).wholeTrajectory),
      [
        "return",
        "mean",
        "leaveOneOut",
        "tree",
        "lengthWeighted",
        "components",
        "bestOfGroup",
        "optimalTrajectory",
        "target",
      ],
    );
  });

  it("have a label for the table", () => {
    const labels: [object, string][] = [
      [{ kind: "return" }, "return"],
      [{ kind: "returnToGo" }, "return to go"],
      [{ kind: "mean" }, "mean"],
      [{ kind: "mean", groupBy: "taskAgent" }, "mean of (task, agent)"],
      [{ kind: "leaveOneOut" }, "leaveOneOut"],
      [{ kind: "perTurn", credit: "reward" }, "perTurn, reward"],
      [{ kind: "perTurn", credit: "rewardToGo" }, "perTurn, rewardToGo"],
      [{ kind: "perPosition" }, "perPosition"],
      [{ kind: "episodePlusStep" }, "episode + 1 step"],
      [{ kind: "episodePlusStep", among: "firstTurns" }, "episode + 1 step, first turns"],
      [{ kind: "outcomePlusStep" }, "outcome + 1 step"],
      [{ kind: "verdictSign" }, "verdictSign"],
      [{ kind: "perTurn", credit: "return", baseline: "leaveOneOut" }, "perTurn, return of the others"],
      [{ kind: "lengthWeighted" }, "mean by length"],
      [{ kind: "outcomePlusTurn", weight: 0.5 }, "outcome + turn, w 0.5"],
      [{ kind: "hgpo", history: 3 }, "hgpo, history 3"],
      [{ kind: "optimalToken" }, "optimal token baseline"],
      [{ kind: "optimalTrajectory" }, "optimal trajectory baseline"],
      [{ kind: "components" }, "parts of the reward, whitened"],
      [{ kind: "components", whiten: false }, "parts of the reward"],
      [{ kind: "bestOfGroup" }, "best of the group"],
      [{ kind: "returnPlusStep" }, "return + step"],
      [{ kind: "belief" }, "mean, by belief ±0.2 x 0.5"],
      [{ kind: "branches" }, "fork: within the tree, trunk: among trees"],
      [
        { kind: "branches", baseline: "leaveOneOut" },
        "fork: within the tree, trunk: among trees, of the others",
      ],
      [{ kind: "stateGraph" }, "state graph, w 1"],
      [{ kind: "target" }, "target - share, eta 1"],
      [{ kind: "hindsight" }, "hindsight, w 1"],
      [{ kind: "outcomePlusGains" }, "outcome + 0.3 gains"],
      [{ kind: "valueStep" }, "step in value, turns with siblings"],
      [{ kind: "valueStep", lone: "inherit" }, "step in value, all turns"],
      [{ kind: "outcomePlusGains", among: "allTurns" }, "outcome + 0.3 gains, all turns"],
      [{ kind: "gae", level: "turn" }, "gae, turn"],
      [{ kind: "biLevelGae" }, "biLevelGae"],
      [{ kind: "gigpo", weight: 0.5 }, "gigpo, w 0.5"],
      [{ kind: "hierarchical" }, "hierarchical"],
      [{ kind: "tree", weight: 0.5 }, "group + tree, w 0.5"],
      [{ kind: "subtree" }, "subtree, by surprise"],
      [{ kind: "subtree", weighting: "evenly" }, "subtree"],
      [{ kind: "step" }, "step reward"],
      [{ kind: "agentPlusStep" }, "mean of (task, agent), with step credit"],
      [{ kind: "hierarchical", whitenRoles: true }, "hierarchical, whitened by role"],
    ];
    for (const [given, label] of labels) {
      const choice = choose(given);
      assert.equal(advantageOf(choice).label(choice), label);
    }
  });

  it("discount the critic's return by token or by turn", () => {
    const discounts: [object, { gamma: number; perToken: boolean }][] = [
      [
        { kind: "gae", level: "token", gamma: 0.5 },
        { gamma: 0.5, perToken: true },
      ],
      [
        { kind: "gae", level: "turn", gamma: 0.5 },
        { gamma: 0.5, perToken: false },
      ],
      [
        { kind: "biLevelGae", gamma: 0.25, gammaTurn: 0.5 },
        { gamma: 0.5, perToken: false },
      ],
      [
        { kind: "hierarchical", gamma: 0.5 },
        { gamma: 0.5, perToken: false },
      ],
    ];
    const undiscounted = those((one) => !advantageOf(one).needsCritic).map((kind): (typeof discounts)[0] => [
      { kind },
      { gamma: 1, perToken: false },
    ]);
    for (const [given, discount] of [...discounts, ...undiscounted]) {
      const choice = choose(given);
      assert.deepEqual(advantageOf(choice).criticDiscount(choice), discount, JSON.stringify(given));
    }
  });

  it("name the exact baseline that they estimate, where there is one", () => {
    const baselines: [object, string | undefined][] = [
      [{ kind: "return" }, "none"],
      [{ kind: "returnToGo" }, "none"],
      [{ kind: "returnToGo", gamma: 0.5 }, undefined],
      [{ kind: "mean" }, "mean"],
      [{ kind: "mean", groupBy: "taskAgent" }, undefined],
      [{ kind: "leaveOneOut" }, "leaveOneOut"],
      [{ kind: "perTurn" }, undefined],
      [{ kind: "perPosition" }, undefined],
      [{ kind: "episodePlusStep" }, undefined],
      [{ kind: "outcomePlusStep" }, undefined],
      [{ kind: "verdictSign" }, undefined],
      [{ kind: "gae" }, "critic"],
      [{ kind: "gae", gamma: 0.5 }, undefined],
      [{ kind: "biLevelGae" }, undefined],
      [{ kind: "gigpo" }, undefined],
      [{ kind: "lengthWeighted" }, undefined],
      [{ kind: "outcomePlusTurn" }, undefined],
      [{ kind: "hgpo" }, undefined],
      [{ kind: "components" }, undefined],
      [{ kind: "bestOfGroup" }, undefined],
      [{ kind: "returnPlusStep" }, undefined],
      [{ kind: "branches" }, undefined],
      [{ kind: "belief" }, undefined],
      [{ kind: "optimalToken" }, undefined],
      [{ kind: "optimalTrajectory" }, undefined],
      [{ kind: "stateGraph" }, undefined],
      [{ kind: "target" }, undefined],
      [{ kind: "hindsight" }, undefined],
      [{ kind: "outcomePlusGains" }, undefined],
      [{ kind: "valueStep" }, undefined],
      [{ kind: "hierarchical" }, undefined],
      [{ kind: "tree" }, undefined],
      [{ kind: "subtree" }, undefined],
      [{ kind: "step" }, undefined],
      [{ kind: "agentPlusStep" }, undefined],
    ];
    for (const [given, baseline] of baselines) {
      const choice = choose(given);
      assert.equal(advantageOf(choice).exactBaseline(choice), baseline, JSON.stringify(given));
    }
  });

  it("each have a sentence, an equation and a source that a reader can open", () => {
    for (const [kind, { help, equation, source }] of Object.entries(advantageKinds)) {
      assert.match(help, /^[A-Z].*\.$/, kind);
      assert.ok(equation.includes("=") || equation.includes(":"), kind);
      assert.match(source, /arXiv \d{4}\.\d{5}|https:\/\/|github\.com\//, kind);
    }
  });

  it("begin at the settings of their sources", () => {
    const initial = Object.fromEntries(
      knobsOf(recipeSchema)
        .filter(({ path }) => path.startsWith("advantage."))
        .map(({ path, when, default: value, wanted }) => [
          `${String(when["advantage"])}${path.slice("advantage".length)}`,
          [value, wanted],
        ]),
    );
    const share = "from 0 to 1";
    assert.deepEqual(initial, {
      "returnToGo.gamma": [1, share],
      "mean.groupBy": ["task", '"task" or "taskAgent"'],
      "mean.allowSingleton": [false, "true or false"],
      "perTurn.credit": ["reward", '"reward" or "rewardToGo" or "return"'],
      "perTurn.baseline": ["mean", '"mean" or "leaveOneOut"'],
      "perTurn.onlyMember": ["zero", '"zero" or "credit"'],
      "perTurn.minGroup": [2, "an integer of at least 1"],
      "episodePlusStep.weight": [1, "at least 0"],
      "episodePlusStep.among": ["allTurns", '"allTurns" or "firstTurns"'],
      "outcomePlusStep.weight": [1, "at least 0"],
      "gae.level": ["token", '"token" or "turn"'],
      "gae.gamma": [1, share],
      "gae.lambda": [1, share],
      "gae.valueCoef": [0.5, "at least 0"],
      "gae.valueTarget": ["monteCarlo", '"monteCarlo" or "lambdaReturn"'],
      "agentPlusStep.allowSingleton": [false, "true or false"],
      "biLevelGae.gamma": [1, share],
      "biLevelGae.lambda": [1, share],
      "biLevelGae.gammaTurn": [0.95, share],
      "biLevelGae.lambdaTurn": [1, share],
      "biLevelGae.valueCoef": [0.5, "at least 0"],
      "branches.baseline": ["mean", '"mean" or "leaveOneOut"'],
      "gigpo.weight": [1, "at least 0"],
      "gigpo.gamma": [0.95, share],
      "gigpo.allowSingleton": [false, "true or false"],
      "hierarchical.gamma": [0.95, share],
      "hierarchical.lambdaTurn": [0.95, share],
      "hierarchical.lambdaSegment": [0.95, share],
      "hierarchical.whitenRoles": [false, "true or false"],
      "hierarchical.valueCoef": [0.5, "at least 0"],
      "tree.weight": [1, "at least 0"],
      "subtree.weighting": ["surprise", '"surprise" or "evenly"'],
      "step.allowSingleton": [false, "true or false"],
      "lengthWeighted.allowSingleton": [false, "true or false"],
      "outcomePlusTurn.weight": [1, "at least 0"],
      "hgpo.history": [2, "an integer of at least 0"],
      "hgpo.alpha": [1, "at least 0"],
      "hgpo.episode": [false, "true or false"],
      "hgpo.gamma": [0.95, share],
      "optimalToken.onlyMember": ["credit", '"credit" or "zero"'],
      "components.splitTurns": [true, "true or false"],
      "components.whiten": [true, "true or false"],
      "belief.weight": [0.5, share],
      "belief.band": [0.2, share],
      "stateGraph.weight": [1, "at least 0"],
      "stateGraph.omega": [0.1, share],
      "stateGraph.success": [10, "at least 0"],
      "target.eta": [1, "above 0"],
      "hindsight.weight": [1, "at least 0"],
      "hindsight.gamma": [0.95, share],
      "hindsight.temperature": [5, "above 0"],
      "hindsight.low": [0.8, share],
      "hindsight.high": [1.2, "at least 1"],
      "hindsight.share": [1, share],
      "valueStep.lone": ["leftOut", '"leftOut" or "inherit"'],
      "outcomePlusGains.weight": [0.3, "at least 0"],
      "outcomePlusGains.gamma": [1, share],
      "outcomePlusGains.among": ["sameTurn", '"sameTurn" or "allTurns"'],
    });
  });

  it("are refused by name where there is no such kind", () => {
    assert.throws(() => advantageOf({ kind: "gigp" } as never), {
      name: "RangeError",
      message:
        `Cannot apply a recipe: advantage.kind must be one of ${kinds.join(", ")}, ` +
        'got "gigp".\nDid you mean "gigpo"?',
    });
    assert.throws(() => named({ one: 1 }, "cell", "toString"), {
      name: "RangeError",
      message: 'Cannot apply a recipe: cell must be one of one, got "toString".',
    });
    assert.deepEqual(fieldsOf({ one: { fields: {} } }), { one: {} });
  });
});

describe("recipeNeeds", () => {
  const distributions = { reference: false, old: false };
  const nothing = {
    distributions,
    reference: false,
    shown: false,
    value: false,
    entropy: false,
    draws: false,
    clipBias: false,
    gradients: false,
  };

  it("asks for what the row reads, and for no more", () => {
    assert.deepEqual(recipeNeeds(recipes.grpo), nothing);
    assert.deepEqual(recipeNeeds(recipes.ppo), { ...nothing, value: true });
    assert.deepEqual(recipeNeeds(recipes.soPpo), { ...nothing, value: true, clipBias: true });
    assert.deepEqual(recipeNeeds(recipes.starPoS), { ...nothing, value: true, entropy: true });
    assert.deepEqual(recipeNeeds(recipes.seeUpoAuthors), { ...nothing, reference: true });
    assert.deepEqual(recipeNeeds(recipes.vcpo), { ...nothing, gradients: true });
    assert.deepEqual(recipeNeeds(recipes.opsd), { ...nothing, reference: true, shown: true });
    const inReward = recipe("grpo", { reward: { kl: { coef: 0.1, estimator: "k1" } } });
    assert.deepEqual(recipeNeeds(inReward), { ...nothing, reference: true });
  });
});
