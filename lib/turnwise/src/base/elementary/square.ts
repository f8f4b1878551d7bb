/** x times x, one rounding: engines compute `x ** 2` as a power, whose last bit is theirs. */
export const square = (x: number): number => x * x;
