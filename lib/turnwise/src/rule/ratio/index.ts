import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import type { Ratio } from "./contract";
import { customRatio } from "./custom";
import { none } from "./none";
import { token } from "./token";
import { trajectory } from "./trajectory";
import { turn } from "./turn";

/** Every level of ratio that has a name; the first is the default of a rule. */
export const ratios = { none, token, turn, trajectory };

export const ratioChoice = choice("level", fieldsOf({ ...ratios, custom: customRatio({ over: "turn" }) }), {
  help: "Unit over which one probability ratio is formed.",
});

export type RatioChoice = Static<typeof ratioChoice>;
export type RatioLevel = Exclude<keyof typeof ratios, "none">;

/** @throws {RangeError} if the level is unknown */
export const ratioOf = (choice: RatioChoice | { readonly level: keyof typeof ratios }): Ratio =>
  choice.level === "custom" ? customRatio(choice) : named<Ratio>(ratios, "ratio.level", choice.level);
