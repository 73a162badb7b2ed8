/* OpenMP: programs after the kinds of DataRaceBench, by the name that is
   defined; those with a race come first */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 40 };
static int a[N], shared, other;

#if defined WITH_SUM
int
main (void)
{
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < N; i++)
    shared += a[i];
  return 0;
}
#elif defined WITH_TEST_OUTSIDE
int
main (void)
{
#pragma omp parallel num_threads(2)
  {
    int mine = omp_get_thread_num () + 1;
    if (mine > shared) {
#pragma omp critical
      shared = mine;
    }
  }
  return 0;
}
#elif defined WITH_NEIGHBOUR
int
main (void)
{
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < N - 1; i++)
    a[i] = a[i + 1] + 1;
  return 0;
}
#elif defined WITH_TASK /* which another thread has to take */
int
main (void)
{
#pragma omp parallel num_threads(2)
#pragma omp master
  {
#pragma omp task
    {
      __atomic_store_n (&other, 1, __ATOMIC_RELAXED);
      shared = 1;
    }
    while (!__atomic_load_n (&other, __ATOMIC_RELAXED))
      usleep (1000);
    shared = 2;
  }
  return 0;
}
#elif defined SHARING /* one thread may take both tasks, or each one */
int
main (void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    shared = 1;
#pragma omp task
    shared = 2;
  }
  return 0;
}
#elif defined WITHOUT_CRITICAL
int
main (void)
{
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < N; i++) {
#pragma omp critical
    shared += a[i];
  }
  return 0;
}
#elif defined WITHOUT_LOCK
int
main (void)
{
  omp_lock_t lock;
  omp_init_lock (&lock);
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 5; i++) {
    omp_set_lock (&lock);
    shared++;
    omp_unset_lock (&lock);
  }
  omp_destroy_lock (&lock);
  return 0;
}
#elif defined WITHOUT_BARRIER
int
main (void)
{
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num ();
    a[me] = me;
#pragma omp barrier
    a[2 + me] = a[0] + a[1];
  }
  return 0;
}
#elif defined WITHOUT_TASKS
static int
fib (int n)
{
  int x, y;
  if (n < 2)
    return n;
#pragma omp task shared(x)
  x = fib (n - 1);
  y = fib (n - 2);
#pragma omp taskwait
  return x + y;
}
int
main (void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
  shared = fib (4);
  return shared != 3;
}
#elif defined WITHOUT_SINGLE
int
main (void)
{
  int *p = NULL;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    p = calloc (1, sizeof *p);
#pragma omp atomic
    other += *p;
  }
  free (p);
  return 0;
}
#endif
