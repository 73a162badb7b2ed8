/* One mistake, many places: the slots of an array are filled and read without
   a lock, by functions that touch each of them in lines of their own. */
#include <pthread.h>

enum { SLOTS = 24 };
static int slots[SLOTS];
static long sum;

static void
fill (int i)
{
  switch (i % 3) {
  case 0:
    slots[i] = 1;
    break;
  case 1:
    slots[i] = 2;
    break;
  default:
    slots[i] += 3;
    break;
  }
}

static void *
filler (void *arg)
{
  for (int i = 0; i < SLOTS; i++)
    fill (i);
  return arg;
}

static long
add_low (void)
{
  long all = 0;
  for (int i = 0; i < SLOTS / 2; i++)
    all += slots[i];
  return all;
}

static long
add_high (void)
{
  long all = 0;
  for (int i = SLOTS / 2; i < SLOTS; i++)
    all += slots[i];
  return all;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, filler, NULL);
  sum = add_low () + add_high ();
  pthread_join (thread, NULL);
  return sum < 0;
}
