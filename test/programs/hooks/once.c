//: hb 3
//: ha 3
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

static pthread_once_t outer = PTHREAD_ONCE_INIT;
static once_flag inner = ONCE_FLAG_INIT;
static int made;

static void
make_inner (void)
{
  made += 1;
}

static void
make (void)
{
  call_once (&inner, make_inner);
  made += 10;
}

static void *
use (void *arg)
{
  pthread_once (&outer, make);
  return made == 11 ? arg : NULL;
}

int
main (void)
{
  pthread_t threads[4];
  void *result;
  int right = 0;
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, use, &made);
  for (int i = 0; i < 4; i++) {
    pthread_join (threads[i], &result);
    right += result != NULL;
  }
  printf ("%d %d\n", right, made);
  return 0;
}
