//: seminit 1
//: up 1
//: down 3
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

int
main (void)
{
  char name[64];
  snprintf (name, sizeof name, "/omen-test-%d", (int)getpid ());
  sem_t *sem = sem_open (name, O_CREAT, 0600, 2);
  sem_t *same = sem_open (name, O_CREAT, 0600, 7);
  printf ("%d %d\n", sem != SEM_FAILED, sem == same);
  sem_wait (sem);
  sem_wait (sem);
  sem_post (sem);
  sem_wait (sem);
  sem_unlink (name);
  printf ("%d\n", sem_open (name, O_RDWR) == SEM_FAILED);
  return 0;
}
