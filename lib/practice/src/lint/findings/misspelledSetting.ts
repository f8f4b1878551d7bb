import { clear, found, type Finding } from "../contract";
import { nearest } from "turnwise/internal/base/suggest";
import { settings } from "../settings";
import type { Subject } from "../subject";

/** Every name that a setting of the trainer has. */
const namesOf = (s: Subject): readonly string[] =>
  Object.values(settings[s.trainer]).flatMap((source) => source?.flags ?? []);

/** A letter too many, one that is missing, two exchanged, or another in its place. */
function isTypo(a: string, b: string): boolean {
  const count = (text: string, letter: string): number => text.split(letter).length - 1;
  const apart = [...new Set(a + b)].reduce((sum, one) => sum + Math.abs(count(a, one) - count(b, one)), 0);
  return apart <= 2 && Math.abs(a.length - b.length) <= 1;
}

export const misspelledSetting: Finding = {
  title: "A setting's name is close to one that is read",
  severity: "warning",
  confidence: "likely",
  why: "Hydra adds an unknown name that begins with +, and other trainers pass it over: what was meant keeps its default.",
  source: "hydra, override grammar (+key)",
  lesson: "11-your-own-run",
  check: (s) => {
    const given = s.parts.given;
    const known = Object.keys(s.parts.flags).length === 0 ? [] : namesOf(s);
    const strange = given.unused.flatMap((name) => {
      const close = nearest(name, known);
      const isClose = close !== undefined && close !== name && !given.has(close) && isTypo(name, close);
      return isClose ? [`${name} (is ${close} meant?)`] : [];
    });
    return strange.length === 0 ? clear : found(strange.join(", "), [], { advice: "correct the name" });
  },
};
