// Where numbers of JavaScript become pointers: each operation says what it will touch, and runs only if that lies within the
// memory it is bound to.

/** A memory of WebAssembly. It may grow, but stays where it is. */
typedef struct {
  uint8_t *base;
  double size;
} Memory;

/** The arguments of a call, and whether all that was asked for so far is allowed. */
typedef struct {
  const Memory *memory;
  const double *given;
  int allowed;
} Border;

/** Argument i as a count or a stride. */
static int count(Border *k, int i) {
  double n = k->given[i];
  if (n >= 0 && n <= 0x7FFFFFFF && n == (int)n) return (int)n;
  k->allowed = 0;
  return 0;
}

/** Argument i as the address of `items` values of `size` bytes, of which `index` counts how many lie before. */
static void *place(Border *k, int i, double items, int size) {
  double offset = k->given[i];
  double end = offset + items * size;
  if (offset >= 0 && end <= k->memory->size && offset == (double)(uint64_t)offset && (uint64_t)offset % 4 == 0) {
    return k->memory->base + (uint64_t)offset;
  }
  if (items > 0) k->allowed = 0;
  return k->memory->base;
}

static float *floatsAt(Border *k, int i, double items) { return place(k, i, items, 4); }
static double *doublesAt(Border *k, int i, double items) { return place(k, i, items, 8); }
static int *integersAt(Border *k, int i, double items) { return place(k, i, items, 4); }

/** Items from the first to the last of `rows` rows of `width`, each `stride` after the one before. */
static double reach(double rows, double stride, double width) {
  return rows > 0 && width > 0 ? (rows - 1) * stride + width : 0;
}

/** Whether `count` indices times `factor`, from `below` (0 or -1, for none) on, have room for `width` floats after argument i. */
static void indices(Border *k, int i, const int *index, double count, double factor, double width, int below) {
  if (!k->allowed) return;
  double room = (k->memory->size - k->given[i]) / 4 - width;
  int most = below;
  for (double j = 0; j < count; j++, index++) {
    if (*index < below) { if (below == 0) k->allowed = 0; }
    else if (*index > most) most = *index;
  }
  if (most * factor > room && most >= 0 && count > 0) k->allowed = 0;
}
