/* A library that is compiled as it is: what it does with its memory nobody
   sees. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *ring[64];
static unsigned in, out;

void
library_push (void *message)
{
  pthread_mutex_lock (&m);
  ring[in++ % 64] = message;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
}

void *
library_pop (void)
{
  pthread_mutex_lock (&m);
  while (in == out)
    pthread_cond_wait (&c, &m);
  void *message = ring[out++ % 64];
  pthread_mutex_unlock (&m);
  return message;
}

static char pool[64];
static int used;

void *
library_take (void)
{
  void *block = NULL;
  pthread_mutex_lock (&m);
  if (!used) {
    used = 1;
    block = pool;
  }
  pthread_mutex_unlock (&m);
  return block;
}

void
library_give (void *block)
{
  pthread_mutex_lock (&m);
  used = block == NULL;
  pthread_mutex_unlock (&m);
}

void
library_set (_Atomic int *flag)
{
  atomic_store (flag, 1);
}

void
library_fill (int *flags, int count)
{
  for (int i = 0; i < count; i++)
    __atomic_store_n (&flags[i], 1, __ATOMIC_RELEASE);
}

static sem_t full;
static void *_Atomic slot[64];
static _Atomic unsigned put, got;

void
library_start (void)
{
  sem_init (&full, 0, 0);
}

void
library_send (void *message)
{
  atomic_store (&slot[atomic_fetch_add (&put, 1) % 64], message);
  sem_post (&full);
}

void *
library_receive (void)
{
  void *message;
  sem_wait (&full);
  unsigned mine = atomic_fetch_add (&got, 1) % 64;
  while (!(message = atomic_load (&slot[mine])))
    continue;
  return message;
}
