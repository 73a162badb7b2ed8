/* The airplane of the JMPaX paper: the tower permits landing, the pilot looks and
   lands; beside it, the radio may go down, which takes the permission back.

     omen cc -g landing.c -o landing && omen record -o run.omen -- ./landing
     omen predict property --spec landing.mop run.omen */
#include <pthread.h>
#include <stdio.h>

static int permit, landing;

static void *
radio (void *unused)
{
  permit = 0; /* down */
  return unused;
}

static void *
pilot (void *unused)
{
  permit = 1; /* the tower says yes */
  if (permit)
    landing = 1;
  return unused;
}

int
main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, radio, NULL);
  pthread_create (&two, NULL, pilot, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  puts (landing ? "landed" : "in the air");
  return 0;
}
