/**
 * One step of Adam on 64-bit floats, operation for operation what the optimizer's loop does:
 *   m <- beta1 m + (1 - beta1) g,  v <- beta2 v + (1 - beta2) g^2,  x <- x - rate m / (sqrt(v / correction) + epsilon)
 *
 * with g scaled first; a mean below `forgotten` is kept as 0.
 */
KERNEL(adam)(
  double *restrict x, const double *restrict gradient, double *restrict mean, double *restrict square, int count,
  double scale, double rate, double correction, double beta1, double beta2, double epsilon, double forgotten
) {
  for (int i = 0; i < count; i++) {
    double g = scale * gradient[i];
    double m = beta1 * mean[i] + (1 - beta1) * g;
    double v = beta2 * square[i] + (1 - beta2) * g * g;
    mean[i] = __builtin_fabs(m) < forgotten ? 0 : m;
    square[i] = v;
    double size = __builtin_sqrt(v / correction) + epsilon;
    x[i] = x[i] - rate * m / size;
  }
}
