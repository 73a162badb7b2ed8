/* a segment of System V attached twice
   omen: none in what is not mapped */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

static atomic_int *turn[2];
static int data;

static void *
user (void *arg)
{
  int me = arg != NULL;
  for (int i = 0; i < 10; i++) {
    while (atomic_load (turn[me]) != me)
      sched_yield ();
    data++;
    atomic_store (turn[me], !me);
  }
  return NULL;
}

int
main (void)
{
  pthread_t threads[2];
  int id = shmget (IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  if (id < 0)
    return 1;
  for (int i = 0; i < 2; i++)
    turn[i] = shmat (id, NULL, 0);
  shmctl (id, IPC_RMID, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, user, i ? turn : NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  shmdt (turn[1]);
  return data != 20;
}
