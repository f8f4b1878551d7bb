import { PLAIN_PROMPTS } from "../../configs/source/python";
import { clear, found, inapplicable, type Finding } from "../contract";

export const plainPrompts: Finding = {
  title: "Prompts are plain texts, to which no chat template is applied",
  severity: "warning",
  confidence: "possible",
  why: "TRL applies the chat template only to prompts that are lists of messages. An instruction-tuned model that gets a bare text goes on writing, never ends its turn, and every answer is cut.",
  source: "TRL, trainer/grpo_trainer.py (is_conversational); greyhaven-ai/autocontext#1070",
  lesson: "10-language-model",
  check: (s) => {
    if (s.parts.form !== "Python") return inapplicable("it is no program");
    if (!s.mentions(PLAIN_PROMPTS)) return clear;
    return found(
      "the program makes prompts, but neither messages with roles nor a call of apply_chat_template",
      [],
      {
        advice: 'for an instruction-tuned model: "prompt": [{"role": "user", "content": ...}]',
      },
    );
  },
};
