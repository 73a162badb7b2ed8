/* Two mistakes that have nothing to do with each other: other variables, other
   functions; and two variables that the same function forgets. */
#include <pthread.h>

static int visits, errors;
static struct settings {
  int size, colour;
} settings;

static void
visit (void)
{
  visits++;
}

static void
resize (void)
{
  settings.size++;
}

static void
paint (void)
{
  settings.colour++;
}

static void *
run (void *arg)
{
  visit ();
  resize ();
  paint ();
  errors = visits > 1;
  return arg;
}

int
main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, run, NULL);
  pthread_create (&two, NULL, run, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return errors > 1;
}
