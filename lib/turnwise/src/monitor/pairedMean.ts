import { bisect, normalCdf } from "../base/distribution";
import { mean } from "../base/statistics";

/** A mean over pairs of runs, with the standard error that the runs give it. */
export interface PairedMean {
  readonly mean: number;
  readonly error: number;
  /** Rows and columns, over all tables. */
  readonly falls: number;
  readonly survivors: number;
}

/**
 * The mean of tables whose rows and columns are independent runs, each row counting alike, with DeLong's standard error.
 *
 * ```
 * mean = sum_s w_s mean_ij x_ij(s),  error^2 = sum_s w_s^2 (var_i x_i.(s) / n_s + var_j x_.j(s) / m_s)
 * ```
 * with w_s the share of rows that table s has, n_s and m_s its numbers of rows and columns, and unbiased variances of the means
 * of rows and of columns. A table of one row or column has no variance to tell, so it adds none.
 *
 * @see DeLong, DeLong and Clarke-Pearson, "Comparing the areas under two or more correlated receiver operating
 *   characteristic curves", Biometrics 44 (1988)
 */
export function pairedMean(tables: readonly (readonly (readonly number[])[])[]): PairedMean {
  const falls = tables.reduce((sum, rows) => sum + rows.length, 0);
  const parts = tables.map((rows) => {
    const ofRows = rows.map((row) => mean(row));
    const ofColumns = rows[0]!.map((_, j) => mean(rows.map((row) => row[j]!)));
    const weight = rows.length / falls;
    return {
      mean: weight * mean(ofRows),
      variance: weight * weight * (errorOf(ofRows) + errorOf(ofColumns)),
    };
  });
  return {
    mean: parts.reduce((sum, part) => sum + part.mean, 0),
    error: Math.sqrt(parts.reduce((sum, part) => sum + part.variance, 0)),
    falls,
    survivors: tables.reduce((sum, rows) => sum + rows[0]!.length, 0),
  };
}

/** The squared standard error of a mean. */
function errorOf(values: readonly number[]): number {
  const n = values.length;
  if (n < 2) return 0;
  const middle = mean(values);
  return values.reduce((sum, x) => sum + (x - middle) * (x - middle), 0) / (n - 1) / n;
}

/**
 * An interval of a mean of values between the two ends of `range`: Wilson's, for as many draws of 0 and 1 as would have this
 * standard error. Where all values are at one end, there is no error to go by, and the fewer of rows and columns are the draws.
 *
 * @see Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927)
 */
export function pairedInterval(
  { mean: value, error, falls, survivors }: PairedMean,
  { level = 0.95, range: [low, high] = [0, 1] }: { level?: number; range?: readonly [number, number] } = {},
): { readonly low: number; readonly high: number } {
  const fewer = Math.min(falls, survivors);
  const p = Math.min(1, Math.max(0, (value - low) / (high - low)));
  const scaled = error / (high - low);
  const atEnd = p === 0 || p === 1;
  if (scaled === 0 && !atEnd) return { low: value, high: value };
  const n = atEnd ? fewer : (p * (1 - p)) / (scaled * scaled);
  const z = bisect((x) => normalCdf(x) >= (1 + level) / 2, 0, 40);
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  const on = (x: number): number => low + x * (high - low);
  return { low: on(Math.max(0, middle - half)), high: on(Math.min(1, middle + half)) };
}
