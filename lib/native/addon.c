// The kernels as an addon of Node: bind(bytes) gives all operations on the memory that `bytes` shows, as WebAssembly
// exports them for its own memory.

#include "kernels.c"
#include "nodeApi.h"
#include <stdatomic.h>
#include <stdlib.h>
#include "border.h"
#include "operations.h"

/** All memories of this process, so that its threads learn of it when one of them lets a memory grow. */
static _Atomic(Memory *) memories;

typedef struct {
  const Operation *operation;
  const Memory *memory;
} Bound;

static void refuse(napi_env env) {
  napi_throw_range_error(
    env, 0, "Cannot run a native kernel as all it touches must lie in its memory: an argument leads out of it");
}

/** Runs the operation that the function stands for. */
static napi_value call(napi_env env, napi_callback_info info) {
  napi_value given[MOST_ARGUMENTS];
  double numbers[MOST_ARGUMENTS];
  size_t count = MOST_ARGUMENTS;
  Bound *bound;
  napi_get_cb_info(env, info, &count, given, 0, (void **)&bound);
  const Operation *operation = bound->operation;
  int right = count >= (size_t)operation->arguments;
  for (int i = 0; right && i < operation->arguments; i++) right = napi_get_value_double(env, given[i], &numbers[i]) == 0;
  if (!right) {
    napi_throw_type_error(env, 0, "Cannot run a native kernel as all its arguments must be numbers: one is not");
    return 0;
  }
  Border border = {bound->memory, numbers, 1};
  operation->run(&border);
  if (!border.allowed) refuse(env);
  return 0;
}

#include "arrays.h"

/** The memory at this place, new if it is not known. */
static Memory *memoryAt(uint8_t *base) {
  Memory *first = atomic_load(&memories);
  for (Memory *m = first; m; m = m->next) if (m->base == base) return m;
  Memory *made = calloc(1, sizeof(Memory));
  if (!made) return 0;
  made->base = base;
  made->next = first;
  while (!atomic_compare_exchange_weak(&memories, &made->next, made)) {}
  return made;
}

/** The memory that the first argument shows, and how long it is; null after throwing if it is none. */
static Memory *memoryOf(napi_env env, napi_callback_info info, napi_value *bytes, double *size) {
  size_t count = 1, length;
  void *data;
  napi_get_cb_info(env, info, &count, bytes, 0, 0);
  if (count < 1 || napi_get_typedarray_info(env, *bytes, 0, &length, &data, 0, 0) != 0) {
    napi_throw_type_error(env, 0, "Cannot bind native kernels as the memory must be given as a Uint8Array: it is not");
    return 0;
  }
  *size = (double)length;
  return memoryAt(data);
}

/** All operations on a memory. */
static napi_value operationsOn(napi_env env, Memory *memory, napi_value bytes) {
  napi_value out, function;
  if (!memory || napi_create_object(env, &out) != 0) return 0;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    Bound *bound = malloc(sizeof(Bound));
    if (!bound) return 0;
    *bound = (Bound){&operations[i], memory};
    napi_create_function(env, operations[i].name, NAPI_AUTO_LENGTH, call, bound, &function);
    // The memory lives as long as the function does.
    napi_set_named_property(env, function, "memory", bytes);
    napi_set_named_property(env, out, operations[i].name, function);
  }
  static const struct { const char *name; napi_callback callback; } more[] = {{"put", put64}, {"get", get64}};
  for (int i = 0; i < 2; i++) {
    napi_create_function(env, more[i].name, NAPI_AUTO_LENGTH, more[i].callback, memory, &function);
    napi_set_named_property(env, function, "memory", bytes);
    napi_set_named_property(env, out, more[i].name, function);
  }
  return out;
}

/** bind(bytes): the operations on these bytes, which are a whole memory. */
static napi_value bind(napi_env env, napi_callback_info info) {
  napi_value bytes;
  double size;
  Memory *memory = memoryOf(env, info, &bytes, &size);
  if (memory) atomic_store(&memory->size, size);
  return operationsOn(env, memory, bytes);
}

/** join(bytes): the same in another thread, which may not have heard yet that the memory has grown. */
static napi_value join(napi_env env, napi_callback_info info) {
  napi_value bytes;
  double size;
  Memory *memory = memoryOf(env, info, &bytes, &size);
  return operationsOn(env, memory, bytes);
}

/** grew(bytes): tells all that are bound to these bytes how many there are now. */
static napi_value grew(napi_env env, napi_callback_info info) {
  napi_value bytes;
  double size;
  Memory *memory = memoryOf(env, info, &bytes, &size);
  if (memory) atomic_store(&memory->size, size);
  return 0;
}

NAPI_EXPORT int32_t node_api_module_get_api_version_v1(void) { return 8; }

NAPI_EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  static const struct { const char *name; napi_callback callback; } functions[] = {
    {"bind", bind}, {"join", join}, {"grew", grew}, {"adamOn", adamOn},
  };
  for (int i = 0; i < 4; i++) {
    napi_value function;
    napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].callback, 0, &function);
    napi_set_named_property(env, exports, functions[i].name, function);
  }
  return exports;
}
