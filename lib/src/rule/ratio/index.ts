import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import type { Ratio } from "./contract";
import { none } from "./none";
import { token } from "./token";
import { trajectory } from "./trajectory";
import { turn } from "./turn";

/** Every level of ratio; the first is the default of a row. */
export const ratios = { none, token, turn, trajectory };

export const ratioChoice = choice("level", fieldsOf(ratios), {
  help: "What one probability ratio is formed over.",
});

export type RatioChoice = Static<typeof ratioChoice>;
export type RatioLevel = Exclude<keyof typeof ratios, "none">;

/** @throws {RangeError} if the level is unknown */
export const ratioOf = ({ level }: { readonly level: RatioChoice["level"] }): Ratio =>
  named<Ratio>(ratios, "ratio.level", level);
