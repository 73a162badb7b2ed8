/* message queues and semaphores of System V order, and queues of POSIX
   omen: none */
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

typedef struct letter {
  long type;
  char text[8];
} letter;

static int messages, semaphores;
static mqd_t queue;
static volatile int x, y, z;

static void *
receiver (void *arg)
{
  letter got;
  struct sembuf down = { 0, -1, 0 };
  char text[64];
  if (msgrcv (messages, &got, sizeof got.text, 0, 0) < 0 || x != 1)
    abort ();
  x = 2;
  if (semop (semaphores, &down, 1) || y != 1)
    abort ();
  y = 2;
  if (queue != (mqd_t)-1
      && (mq_receive (queue, text, sizeof text, NULL) < 0 || z != 1))
    abort ();
  z = 2;
  return arg;
}

/* Not every system has these. */
static mqd_t
open_queue (void)
{
  struct mq_attr size = { .mq_maxmsg = 4, .mq_msgsize = 64 };
  char name[40];
  snprintf (name, sizeof name, "/omen-%d", (int)getpid ());
  mqd_t made = mq_open (name, O_RDWR | O_CREAT | O_EXCL, 0600, &size);
  mq_unlink (name);
  return made;
}

int
main (void)
{
  pthread_t t;
  letter sent = { 1, "letter" };
  struct sembuf up = { 0, 1, 0 };
  messages = msgget (IPC_PRIVATE, 0600);
  semaphores = semget (IPC_PRIVATE, 1, 0600);
  queue = open_queue ();
  if (messages < 0 || semaphores < 0)
    return 1;
  pthread_create (&t, NULL, receiver, NULL);
  x = 1;
  msgsnd (messages, &sent, sizeof sent.text, 0);
  y = 1;
  semop (semaphores, &up, 1);
  z = 1;
  if (queue != (mqd_t)-1)
    mq_send (queue, "letter", 6, 0);
  pthread_join (t, NULL);
  msgctl (messages, IPC_RMID, NULL);
  semctl (semaphores, 0, IPC_RMID);
  return 0;
}
