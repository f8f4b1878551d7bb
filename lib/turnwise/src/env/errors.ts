/** `step` was called before `reset`, or after the episode had ended: call `reset` first. */
export class ResetNeededError extends Error {
  override readonly name = "ResetNeededError";
}

/** An environment breaks its contract; the message says where and what most likely causes it. */
export class EnvContractError extends Error {
  override readonly name = "EnvContractError";
}
