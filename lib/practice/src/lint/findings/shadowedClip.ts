import { clear, found, inapplicable, type Finding } from "../contract";

export const shadowedClip: Finding = {
  title: "The width of the clip is given where it does not count",
  severity: "error",
  confidence: "certain",
  why: "clip_ratio is the fallback of clip_ratio_low and clip_ratio_high, which have defaults of their own since verl 0.3: what is written has no effect.",
  source: "verl, trainer/config/actor/actor.yaml and workers/actor/dp_actor.py",
  lesson: "11-your-own-run",
  check: (s) => {
    if (s.trainer !== "verl") return inapplicable("it is a setting of verl's");
    if (!s.gives("clip") || (s.gives("clipLow") && s.gives("clipHigh"))) return clear;
    const width = s.number("clip");
    if (width === s.number("clipLow") && width === s.number("clipHigh")) return clear;
    return found(`${s.shown("clip")}, and ${s.shown("clipLow")}, ${s.shown("clipHigh")} count`, [
      { setting: "clipLow", value: width },
      { setting: "clipHigh", value: width },
    ]);
  },
};
