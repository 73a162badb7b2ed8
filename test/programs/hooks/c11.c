// C11's mutexes and conditions. The locks of a recursive mutex inside another
// lock of it are not told.
//: wait =wake
//: notifyall 1
//: notify 1
//: tryfail 1
//: lockfail 1
//: acq =rel
#include <stdio.h>
#include <threads.h>

static mtx_t lock, timed;
static cnd_t there;
static int ready;

static int
give (void *arg)
{
  struct timespec past = { 1, 0 };
  int tried = mtx_trylock (&timed), waited = mtx_timedlock (&timed, &past);
  mtx_lock (&lock);
  ready = 1;
  cnd_signal (&there);
  cnd_broadcast (&there);
  mtx_unlock (&lock);
  return tried == thrd_busy && waited == thrd_timedout;
}

int
main (void)
{
  thrd_t thread;
  int result;
  mtx_init (&lock, mtx_plain);
  mtx_init (&timed, mtx_timed | mtx_recursive);
  cnd_init (&there);
  mtx_lock (&timed);
  mtx_lock (&timed);
  mtx_unlock (&timed);
  thrd_create (&thread, give, NULL);
  mtx_lock (&lock);
  while (!ready)
    cnd_wait (&there, &lock);
  mtx_unlock (&lock);
  thrd_join (thread, &result);
  mtx_unlock (&timed);
  cnd_destroy (&there);
  mtx_destroy (&lock);
  mtx_destroy (&timed);
  printf ("%d\n", result);
  return 0;
}
