const from = (first: number, count: number): readonly number[] =>
  Object.freeze(Array.from({ length: count }, (_, i) => first + i));

/** Seeds of the small preregistered studies: forty, of which those from `confirmFrom` on confirm, and eight others for the tuning. */
export const studySeeds = Object.freeze({ study: from(1000, 40), confirmFrom: 1020, tuning: from(8000, 8) });
