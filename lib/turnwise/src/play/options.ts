import { expectKnown, expectWhole } from "../base/expect";
import type { Recipe } from "../rule";
import { noticeDeprecated } from "../schema";
import { expectSpeed, fastest } from "./pace";
import { Settings } from "./settings";
import type { SomeSettings, SteeredAt } from "./share";

/** Options of a new playground. */
export interface PlaygroundOptions {
  /** Settings to begin with, by the name of their knob. */
  readonly start?: SomeSettings;
  /** Settings that change by themselves after a number of updates of the first run, as a shared line of code has them. */
  readonly changes?: readonly SteeredAt[];
  /** A rule of your own, also one with custom functions: it takes the place of the rule that it was made from. */
  readonly recipe?: Recipe;
  /** @deprecated Use `recipe`. */
  readonly row?: Recipe;
  /** Training ends after this many updates. Default 400. */
  readonly updates?: number;
  /** Updates a second at most, from 1; 100, the default, is as fast as it can. */
  readonly speed?: number;
}

/** The settings and the plan of a playground, checked before anything is trained. */
export interface Opening {
  readonly settings: Settings;
  readonly planned: readonly SteeredAt[];
  readonly updates: number;
  readonly speed: number;
}

/** @throws {RangeError} if an option is unknown or out of range */
export function openingOf(options: PlaygroundOptions): Opening {
  expectKnown("open the playground", options, ["start", "changes", "recipe", "row", "updates", "speed"]);
  const { start = {}, changes = [], row: rule, recipe = rule, updates = 400, speed = fastest } = options;
  if (rule !== undefined) noticeDeprecated("row", "recipe");
  expectWhole("open the playground", "updates", updates, 1);
  expectSpeed(speed);
  // A wrong change is refused now, not when its time has come.
  const tried = new Settings(start, recipe);
  for (const { after, ...changed } of changes) {
    expectWhole("open the playground", "after", after, 1);
    for (const [name, value] of Object.entries(changed)) tried.set(name, value);
  }
  const planned = [...changes].sort((a, b) => a.after - b.after);
  return { settings: new Settings(start, recipe), planned, updates, speed };
}
