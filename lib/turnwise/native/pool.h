// Threads that help with a task. It comes in parts, and whoever is free takes the next one: so a thread that the machine holds
// up delays only its own part. There is one task at a time: who comes with another meanwhile does that one alone.

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#if defined(__x86_64__)
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() __asm__ volatile("yield")
#endif

typedef void (*Work)(void *task, int part);

/**
 * The first part that nobody has taken and the one after the last, 32 bits each, so that a part is taken in one step. A thread
 * that looked, was held up and finds the same numbers in the next task takes a part of that one: what the task is, it reads
 * afterwards.
 */
static _Atomic uint64_t offered;
/** Of the task that is offered: written before it is, and read by those who have taken a part of it. */
static Work work;
static void *task;
static _Atomic int unfinished;

/** Held by whose task it is. */
static pthread_mutex_t owner = PTHREAD_MUTEX_INITIALIZER;
static int helpers;
static pthread_mutex_t sleeping = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static _Atomic int asleep;

static int isOffered(void) {
  uint64_t state = atomic_load(&offered);
  return state >> 32 < (uint32_t)state;
}

/**
 * Does parts until all are taken; how many. The owner takes them from the front and the others from the back, so that each
 * finds most of its rows in its own cache from one task to the next.
 */
static int takeParts(int front) {
  uint64_t state = atomic_load(&offered);
  for (int taken = 0;;) {
    uint32_t first = state >> 32, end = (uint32_t)state;
    if (first == end) return taken;
    if (!atomic_compare_exchange_weak(&offered, &state, front ? state + (1ull << 32) : state - 1)) continue;
    work(task, front ? (int)first : (int)end - 1);
    taken++;
    atomic_fetch_sub(&unfinished, 1);
    state = atomic_load(&offered);
  }
}

/** How often to look for the next task before going to sleep: about as long as waking takes. */
#define LOOKS 1000

/** The life of a helper. */
static void *help(void *nothing) {
  for (;;) {
    for (int i = 0; i < LOOKS && !isOffered(); i++) PAUSE();
    if (!isOffered()) {
      pthread_mutex_lock(&sleeping);
      atomic_fetch_add(&asleep, 1);
      while (!isOffered()) pthread_cond_wait(&wake, &sleeping);
      atomic_fetch_sub(&asleep, 1);
      pthread_mutex_unlock(&sleeping);
    }
    takeParts(0);
  }
  return nothing;
}

/** Starts helpers until there are so many, or as many as the machine allows. */
static void startHelpers(int wanted) {
  // Node unloads an addon with the thread that has loaded it; the helpers need it until the process ends.
  Dl_info own;
  if (helpers == 0 && dladdr(&offered, &own) && own.dli_fname) dlopen(own.dli_fname, RTLD_NOW);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_t thread;
  while (helpers < wanted && pthread_create(&thread, &attributes, help, 0) == 0) helpers++;
  pthread_attr_destroy(&attributes);
}

/** Does all parts of a task, with so many helpers if they are free; how many parts were theirs. */
static int inParts(int wanted, int parts, Work own, void *context) {
  if (wanted < 1 || parts < 2 || pthread_mutex_trylock(&owner) != 0) {
    for (int i = 0; i < parts; i++) own(context, i);
    return 0;
  }
  if (helpers < wanted) startHelpers(wanted);
  work = own;
  task = context;
  atomic_store(&unfinished, parts);
  atomic_store(&offered, (uint64_t)parts);
  if (atomic_load(&asleep) > 0) {
    pthread_mutex_lock(&sleeping);
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&sleeping);
  }
  int taken = takeParts(1);
  // After some microseconds, chances are that a helper waits for this very core.
  for (int looks = 0; atomic_load(&unfinished) > 0; looks++) {
    if (looks < LOOKS) PAUSE();
    else sched_yield();
  }
  pthread_mutex_unlock(&owner);
  return parts - taken;
}
