/** The smallest effect of interest: a twentieth of what there is to win, as the return goes from 0 to 1. Named before the runs. */
export const smallestMismatchEffect = 0.05;
/** The smallest bias of interest, as a share of the exact gradient's length. */
export const smallestMismatchBias = 0.01;
