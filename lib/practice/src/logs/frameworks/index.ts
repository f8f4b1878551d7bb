import { addLoggedNames } from "turnwise/internal/base/loggedNames";
import type { Framework } from "../framework";
import { areal } from "./areal";
import { common } from "./common";
import { mlxLmLora } from "./mlxLmLora";
import { nemoRl } from "./nemoRl";
import { openInstruct } from "./openInstruct";
import { openrlhf } from "./openrlhf";
import { primeRl } from "./primeRl";
import { ragen } from "./ragen";
import { ragen2 } from "./ragen2";
import { roll } from "./roll";
import { skyrl } from "./skyrl";
import { slime } from "./slime";
import { tinker } from "./tinker";
import { trl } from "./trl";
import { trlPpo } from "./trlPpo";
import { turnwise } from "./turnwise";
import { verl } from "./verl";

/** Framework whose metric names a log may have. */
export type NamingName =
  | "turnwise"
  | "verl"
  | "trl"
  | "ragen"
  | "ragen2"
  | "primeRl"
  | "skyrl"
  | "tinker"
  | "slime"
  | "openrlhf"
  | "nemoRl"
  | "openInstruct"
  | "areal"
  | "roll"
  | "mlxLmLora"
  | "trlPpo"
  | "common";

/** Names of each framework for the metrics of the glossary; one that extends another comes after it. */
export const frameworks: Readonly<Record<NamingName, Framework>> = Object.freeze({
  turnwise,
  verl,
  trl,
  ragen,
  ragen2,
  primeRl,
  skyrl,
  tinker,
  slime,
  openrlhf,
  nemoRl,
  openInstruct,
  areal,
  roll,
  mlxLmLora,
  trlPpo,
  common,
});

// What the two most common ones call a metric stands on its page of help.
for (const { title, metrics, derived } of [verl, trl])
  addLoggedNames(title, (metric) => metrics[metric] ?? derived[metric]?.uses);

/** @throws {RangeError} if the name is unknown */
export function frameworkOf(name: NamingName): Framework {
  if (Object.hasOwn(frameworks, name)) return frameworks[name];
  throw new RangeError(
    `Cannot read a log: its naming must be one of ${Object.keys(frameworks).join(", ")}, got "${String(name)}".`,
  );
}
