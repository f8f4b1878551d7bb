/** An object with a loop of its own that can be asked to end: a model of TensorFlow.js during `fit`. */
export interface Trainer {
  stopTraining: boolean;
}

/** The value as a trainer, if it is one; the library itself is not loaded. */
export function asTrainer(value: unknown): Trainer | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return "stopTraining" in value ? (value as Trainer) : undefined;
  } catch {
    // A proxy that throws on unknown names.
    return undefined;
  }
}

/** Asks a trainer to end after its current step. */
export function stopTrainer(trainer: Trainer): void {
  try {
    trainer.stopTraining = true;
  } catch {
    // A sequential model without layers throws here, and trains nothing either.
  }
}

/** Makes a model trainable again whose loop was ended by force, as it still believes to be training. */
export function abandonTraining(trainer: Trainer): void {
  // A sequential model keeps this on an inner model.
  for (const one of [trainer, (trainer as { model?: unknown }).model]) {
    if (typeof one !== "object" || one === null) continue;
    if ((one as { isTraining?: unknown }).isTraining === true)
      (one as { isTraining: boolean }).isTraining = false;
  }
}
