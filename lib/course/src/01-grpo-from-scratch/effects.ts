/** The smallest effect of interest: a twentieth of what there is to win, as the return goes from 0 to 1. */
export const smallestEffectOfInterest = 0.05;
