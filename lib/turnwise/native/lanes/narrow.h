// What targets with vectors of four floats share.

#define LANES 4
typedef f4 floats;
typedef i4 integers;

INLINE floats splat(float x) { return (floats){x, x, x, x}; }
INLINE floats loadPart(const float *x, int count) {
  floats value = {x[0], 0, 0, 0};
  if (count > 1) value[1] = x[1];
  if (count > 2) value[2] = x[2];
  return value;
}
INLINE void storePart(float *x, floats value, int count) {
  x[0] = value[0];
  if (count > 1) x[1] = value[1];
  if (count > 2) x[2] = value[2];
}
