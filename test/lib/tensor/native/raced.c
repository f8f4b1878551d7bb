// Several threads come with tasks for the pool, as threads of JavaScript do, for a thread sanitizer to see two of them at one
// place. Parts write to plain memory; each must be done once, and all before the task is over.

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "../../../../lib/turnwise/native/pool.h"

#define CALLERS 3
#define TASKS 20000
#define PARTS 24

typedef struct {
  int number;
  int done[PARTS];
} Sheet;

static void mark(void *sheet, int part) {
  Sheet *own = sheet;
  // Of different length, so that one thread is late.
  volatile int steps = (own->number * 7 + part * 13) % 200;
  while (steps > 0) steps--;
  own->done[part] += own->number;
}

static int helped[CALLERS];

static void *caller(void *which) {
  for (int number = 1; number <= TASKS; number++) {
    // On the stack, which others write next: nobody may come back to it.
    Sheet sheet = {number, {0}};
    int parts = 1 + number % PARTS;
    helped[(intptr_t)which] += inParts(3, parts, mark, &sheet);
    for (int i = 0; i < PARTS; i++) {
      if (sheet.done[i] == (i < parts ? number : 0)) continue;
      fprintf(stderr, "part %d of task %d was done %d times\n", i, number, sheet.done[i] / number);
      exit(1);
    }
    // Now and then long enough for the helpers to fall asleep.
    if (number % 100 == 0) usleep(1000);
  }
  return 0;
}

int main(void) {
  pthread_t threads[CALLERS];
  for (intptr_t i = 0; i < CALLERS; i++) pthread_create(&threads[i], 0, caller, (void *)i);
  int all = 0;
  for (int i = 0; i < CALLERS; i++) {
    pthread_join(threads[i], 0);
    all += helped[i];
  }
  printf("%s\n", all > 0 ? "helped" : "alone");
  return 0;
}
