import { FROZEN_ADAPTER } from "../../configs/source/python";
import { clear, found, inapplicable, type Finding } from "../contract";

export const frozenAdapter: Finding = {
  title: "The adapter is loaded for inference, so that its weights are frozen",
  severity: "error",
  confidence: "likely",
  why: "PeftModel.from_pretrained freezes the adapter unless is_trainable=True is given. The trainer runs to the end, reports losses and gradients, and saves the adapter that it began with.",
  source: "PEFT, PeftModel.from_pretrained (is_trainable=False); huggingface/trl#3031, huggingface/trl#6700",
  lesson: "10-language-model",
  check: (s) => {
    if (s.parts.form !== "Python") return inapplicable("it is no program");
    if (!s.mentions(FROZEN_ADAPTER)) return clear;
    return found("the trainer's model comes from PeftModel.from_pretrained without is_trainable=True", [], {
      advice: "pass is_trainable=True, or merge the adapter and train a new one by peft_config",
    });
  },
};
