//+ -mcx16
//: rmw >=2000
//: ar >=1
//: aw >=1
//: ext 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count, ready;
static _Atomic (struct pair { long a, b; }) both;
static int data;

static void *
work (void *arg)
{
  for (int i = 0; i < 1000; i++)
    atomic_fetch_add (&count, 1);
  struct pair old = atomic_load (&both), new;
  do
    new = (struct pair){ old.a + 1, old.b - 1 };
  while (!atomic_compare_exchange_weak (&both, &old, new));
  data = 1;
  atomic_store_explicit (&ready, 1, memory_order_release);
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, work, NULL);
  while (!atomic_load_explicit (&ready, memory_order_acquire))
    ;
  pthread_create (&b, NULL, work, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  struct pair p = atomic_load (&both);
  printf ("%d %ld %ld %d\n", count, p.a, p.b, data);
  return 0;
}
