import type { NamingName } from "../logs/frameworks";

const VERL: readonly NamingName[] = ["verl", "ragen", "ragen2"];

interface Known {
  readonly is: RegExp;
  readonly advice: (framework: NamingName | undefined) => string;
}

const known: readonly Known[] = [
  {
    is: /out of memory|OutOfMemory/i,
    advice: (framework) =>
      framework !== undefined && VERL.includes(framework)
        ? "lower actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu and actor_rollout_ref.rollout.gpu_memory_utilization, or data.max_response_length"
        : framework === "trl"
          ? "halve per_device_train_batch_size and double gradient_accumulation_steps, or lower vllm_gpu_memory_utilization or max_completion_length"
          : "lower the micro batch, the engine's share of the memory, or the longest answer",
  },
  {
    is: /file write failed|No space left on device|unexpected pos \d+ vs|Disk quota exceeded/i,
    advice: (framework) =>
      `the disk is full, or its quota used up: keep fewer checkpoints${
        framework !== undefined && VERL.includes(framework)
          ? " (trainer.max_actor_ckpt_to_keep, trainer.max_critic_ckpt_to_keep)"
          : framework === "trl"
            ? " (save_total_limit)"
            : ""
      }; the one that was being written is not whole`,
  },
  {
    is: /probability tensor contains|assert.*inf, nan/i,
    advice: () =>
      "a logit is NaN or infinite: go back to a checkpoint before the first NaN in the log; the usual sources are an empty answer whose mask has no token, a log-prob of -inf, half precision in the loss, and too large a learning rate",
  },
  {
    is: /got signal: 1\b/,
    advice: () =>
      "a hangup: the terminal that started it was closed; start it under tmux, setsid or a scheduler",
  },
  {
    is: /got signal: 9\b|exitcode\s*: -9/,
    advice: () => "the system ended it, most often because the machine's own memory was used up",
  },
  {
    is: /NCCL|Watchdog|timed? ?out/i,
    advice: () => "another process may have died or waited first: look for the earliest error of each",
  },
];

/** Advice about an error; undefined for errors that are not known. */
export function failureAdvice(text: string, framework: NamingName | undefined): string | undefined {
  return known.find(({ is }) => is.test(text))?.advice(framework);
}
