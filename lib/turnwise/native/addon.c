// The kernels as an addon of Node: bind(bytes) gives all operations on the memory that `bytes` shows, as WebAssembly exports
// them for its own memory, and `play`, which makes many calls at once.

#include "kernels.c"
#include "nodeApi.h"
#include <stdlib.h>
#include "border.h"
#include "operations.h"

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
#include "play.h"
#include "tables.h"

/** grew(bytes): there are so many now, at the same place. */
static napi_value grew(napi_env env, napi_callback_info info) {
  napi_value bytes;
  size_t count = 1, length;
  void *data;
  Memory *memory;
  napi_get_cb_info(env, info, &count, &bytes, 0, (void **)&memory);
  int type, right = napi_get_typedarray_info(env, bytes, &type, &length, &data, 0, 0) == 0;
  if (right && data == memory->base) memory->size = (double)length;
  else napi_throw_type_error(env, 0, "Cannot tell native kernels that a memory has grown as it must be theirs: it is not");
  return 0;
}

/** bind(bytes): the operations on these bytes, which are a whole memory. They may grow, but stay where they are. */
static napi_value bind(napi_env env, napi_callback_info info) {
  napi_value bytes, out, function;
  size_t count = 1, length;
  void *data;
  napi_get_cb_info(env, info, &count, &bytes, 0, 0);
  if (count < 1 || napi_get_typedarray_info(env, bytes, 0, &length, &data, 0, 0) != 0) {
    napi_throw_type_error(env, 0, "Cannot bind native kernels as the memory must be given as a Uint8Array: it is not");
    return 0;
  }
  Memory *memory = malloc(sizeof(Memory));
  Bound *bound = malloc(OPERATIONS * sizeof(Bound));
  if (!memory || !bound || napi_create_object(env, &out) != 0) return 0;
  *memory = (Memory){data, (double)length};
  for (size_t i = 0; i < OPERATIONS; i++) {
    bound[i] = (Bound){&operations[i], memory};
    napi_create_function(env, operations[i].name, NAPI_AUTO_LENGTH, call, &bound[i], &function);
    // The memory lives as long as the function does.
    napi_set_named_property(env, function, "memory", bytes);
    napi_set_named_property(env, out, operations[i].name, function);
  }
  static const struct { const char *name; napi_callback callback; } more[] = {
    {"put", put64}, {"get", get64}, {"play", play}, {"grew", grew},
  };
  for (int i = 0; i < 4; i++) {
    napi_create_function(env, more[i].name, NAPI_AUTO_LENGTH, more[i].callback, memory, &function);
    napi_set_named_property(env, function, "memory", bytes);
    napi_set_named_property(env, out, more[i].name, function);
  }
  return out;
}

NAPI_EXPORT int32_t node_api_module_get_api_version_v1(void) { return 8; }

NAPI_EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  static const struct { const char *name; napi_callback callback; } functions[] = {
    {"bind", bind}, {"adamOn", adamOn}, {"squaresOf", squaresOf}, {"surrogateOn", surrogateOn}, {"tableGradientOn", tableGradientOn},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    napi_value function;
    napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].callback, 0, &function);
    napi_set_named_property(env, exports, functions[i].name, function);
  }
  return exports;
}
