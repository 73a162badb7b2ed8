/* A library that is compiled as it is: it synchronises by atomics, calls back,
   starts threads, and leaves its callers in every way. */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_uint calls;

void
plain_lock (void)
{
  while (atomic_flag_test_and_set_explicit (&taken, memory_order_acquire))
    continue;
}

void
plain_unlock (void)
{
  atomic_flag_clear_explicit (&taken, memory_order_release);
}

/* It orders nothing. */
unsigned
plain_count (void)
{
  return atomic_fetch_add_explicit (&calls, 1, memory_order_relaxed);
}

void
plain_twice (void (*call) (void))
{
  call ();
  call ();
}

static void (*threads_call) (void);

static void *
run (void *arg)
{
  threads_call ();
  return arg;
}

void
plain_thread (void (*call) (void))
{
  pthread_t thread;
  threads_call = call;
  if (!pthread_create (&thread, NULL, run, NULL))
    pthread_join (thread, NULL);
}

void
plain_jump (jmp_buf to)
{
  longjmp (to, 1);
}
