import { flag, fraction, number } from "../../schema";

type Knob = ReturnType<typeof fraction>;

export const gamma = (initial: number): Knob =>
  fraction(initial, { help: "Discount per step of the advantage: a token, or a turn." });
export const lambda = (initial: number): Knob =>
  fraction(initial, { help: "Trust of GAE in sampled rewards (1) over the critic (0)." });
export const valueCoef = number(0.5, { atLeast: 0, help: "Weight of the critic's loss." });
export const allowSingleton = flag(false, {
  help: "Give a group of one its reward as advantage, where it would be refused otherwise.",
});
