import {
  allAtOnce,
  crossArm,
  matchedArms,
  matchedEffects,
  matchedWorldNames,
  matchedWorlds,
  type Held,
  type MatchedWorld,
} from "./design";

type Ratio = "product" | "geometric";

/** Two arms of one world; the claim is that the first one does better. */
export interface MatchedComparison {
  readonly setting: Readonly<Record<string, string>>;
  readonly world: MatchedWorld;
  readonly better: string;
  readonly than: string;
}

/** A question that was asked before any run of the study. */
export interface MatchedQuestion {
  readonly claim: string;
  /** Questions of a family are corrected for together. */
  readonly family: "primary" | "secondary";
  /** The outcome compared: mean success, or the share of stuck seeds, where less is better. */
  readonly of: "success" | "stuck";
  /** The direction of the difference that the claim states. */
  readonly claims: "gain" | "same";
  readonly smallest: number;
  readonly comparisons: readonly MatchedComparison[];
}

const { success, stuck } = matchedEffects;

const ratiosOf = (world: MatchedWorld): readonly Ratio[] =>
  matchedWorlds[world].tokens === 1 ? ["product"] : ["product", "geometric"];

const everywhere = (
  arms: (ratio: Ratio) => readonly [better: string, than: string],
): readonly MatchedComparison[] =>
  matchedWorldNames.flatMap((world) =>
    ratiosOf(world).map((ratio) => {
      const [better, than] = arms(ratio);
      const { tokens } = matchedWorlds[world];
      return { setting: { world, ratio: tokens === 1 ? "either" : ratio }, world, better, than };
    }),
  );

const reverse = (ratio: Ratio, held: Held, carry: "exact" | "clipped" | "off" = "exact"): string =>
  crossArm("reverse", ratio, carry, held);

const question = (
  claim: string,
  comparisons: readonly MatchedComparison[],
  o: Partial<MatchedQuestion> = {},
): MatchedQuestion =>
  Object.freeze({
    claim,
    family: "primary",
    of: "success",
    claims: "gain",
    smallest: o.of === "stuck" ? stuck : success,
    comparisons,
    ...o,
  });

const secondary = { family: "secondary" } as const;

const overAllAtOnce = (held: Held): readonly MatchedComparison[] =>
  everywhere((ratio) => [reverse(ratio, held), allAtOnce(ratio, held)]);

const named = (world: MatchedWorld, form: string): readonly string[] =>
  matchedArms(world)
    .filter((one) => one.form === form)
    .map(({ name }) => name);

/** The questions of the study. All carries are exact unless a question names another. */
export const matchedQuestions = Object.freeze({
  forward: question(
    "Reverse order beats forward order",
    everywhere((ratio) => [reverse(ratio, "passes"), crossArm("forward", ratio, "exact", "passes")]),
  ),
  passes: question(
    "Reverse order beats all turns at once, at equal passes over each token",
    overAllAtOnce("passes"),
  ),
  steps: question(
    "Reverse order beats all turns at once, at equally many optimizer steps",
    overAllAtOnce("steps"),
  ),
  kl: question("Reverse order beats all turns at once, at equal KL per batch", overAllAtOnce("kl")),
  random: question(
    "Reverse order beats a random order",
    everywhere((ratio) => [reverse(ratio, "passes"), crossArm("random", ratio, "exact", "passes")]),
    secondary,
  ),
  carry: question(
    "The exact carry helps reverse order",
    everywhere((ratio) => [reverse(ratio, "passes"), reverse(ratio, "passes", "off")]),
    secondary,
  ),
  clipped: question(
    "Clipping the carry costs success",
    everywhere((ratio) => [reverse(ratio, "passes"), reverse(ratio, "passes", "clipped")]),
    secondary,
  ),
  moreSteps: question(
    "All turns at once does better with as many steps as a turn-by-turn order takes",
    everywhere((ratio) => [allAtOnce(ratio, "steps"), allAtOnce(ratio, "passes")]),
    secondary,
  ),
  ratio: question(
    "The product ratio beats the geometric one",
    matchedWorldNames
      .filter((world) => ratiosOf(world).length === 2)
      .flatMap((world) => [
        {
          setting: { world, order: "reverse" },
          world,
          better: reverse("product", "passes"),
          than: reverse("geometric", "passes"),
        },
        {
          setting: { world, order: "all at once" },
          world,
          better: allAtOnce("product", "passes"),
          than: allAtOnce("geometric", "passes"),
        },
      ]),
    secondary,
  ),
  rtpo: question(
    "RTPO beats reverse order on one batch, at equally many rollouts",
    matchedWorldNames.map((world) => ({
      setting: { world },
      world,
      better: named(world, "rtpo")[0]!,
      than: reverse("product", "passes"),
    })),
    secondary,
  ),
  released: question(
    "The released SeeUPO beats all turns at once with its one step per batch",
    matchedWorldNames
      .filter((world) => named(world, "released").length === 2)
      .map((world) => {
        const [better, than] = named(world, "released") as [string, string];
        return { setting: { world }, world, better, than };
      }),
    secondary,
  ),
  recomputed: question(
    "Recomputing the old log-probs before each turn changes nothing",
    [
      { ratio: "product", than: reverse("product", "passes") },
      { ratio: "geometric", than: reverse("geometric", "passes", "clipped") },
    ].map(({ ratio, than }, i) => ({
      setting: { ratio },
      world: "toolChain" as const,
      better: named("toolChain", "recomputed")[i]!,
      than,
    })),
    { ...secondary, claims: "same" },
  ),
  stuckPasses: question(
    "Reverse order leaves fewer seeds stuck than all turns at once, at equal passes",
    overAllAtOnce("passes"),
    { ...secondary, of: "stuck" },
  ),
  stuckSteps: question(
    "Reverse order leaves fewer seeds stuck than all turns at once, at equally many steps",
    overAllAtOnce("steps"),
    { ...secondary, of: "stuck" },
  ),
});

/** The name of a question. */
export type MatchedQuestionName = keyof typeof matchedQuestions;
