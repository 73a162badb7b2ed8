/* hang: condition thread
   Events made by hand: the second one is never set. */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic unsigned events[2];

static void *
wait_for_event (void *which)
{
  _Atomic unsigned *event = which;
  while (!*event)
    syscall (SYS_futex, event, FUTEX_WAIT, 0, NULL, NULL, 0);
  return NULL;
}

static void
set (_Atomic unsigned *event)
{
  *event = 1;
  syscall (SYS_futex, event, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

int
main (void)
{
  pthread_t one, two;
  set (&events[0]);
  pthread_create (&one, NULL, wait_for_event, &events[0]);
  pthread_create (&two, NULL, wait_for_event, &events[1]);
#ifdef FIXED
  set (&events[1]);
#endif
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
