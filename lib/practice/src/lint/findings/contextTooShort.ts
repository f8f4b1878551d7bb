import { clear, found, unknown, type Finding } from "../contract";

export const contextTooShort: Finding = {
  title: "Prompt and answer do not fit the engine's context",
  severity: "error",
  confidence: "certain",
  why: "What does not fit is cut before the limit of answers is met, or the engine refuses it.",
  source: "vLLM, max_model_len",
  lesson: "10-language-model",
  check: (s) => {
    const context = s.numberOrNull("modelLength");
    if (context === null)
      return unknown(`${s.flagOf("modelLength")} is not given: the model's own context counts`);
    const answer = s.number("maxResponse");
    const prompt = s.has("maxPrompt") ? (s.numberOrNull("maxPrompt") ?? 0) : 0;
    if (prompt + answer <= context) return clear;
    return found(
      `${prompt === 0 ? "" : `${prompt} + `}${answer} tokens in a context of ${s.shown("modelLength")}`,
      [{ setting: "modelLength", value: prompt + answer }],
    );
  },
};
