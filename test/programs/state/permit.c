/* Whoever lands has a permit, which in some of these programs a library gave
   that is not woven: nothing is wrong, and nothing is reported. TAKEN_BACK and
   ALONE are wrong. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include <unistd.h>

void library_give (int *);
void library_keep (int *);
void library_give_kept (void);
void library_give_named (void);
void library_give_pointed (void);
void library_call (int *, void (*) (void));
void library_start (int *);
void library_stop (void);

#if defined ALONE || defined BY_POINTER
static int permit;
#else
int permit;
#endif
int other;
#ifdef BY_POINTER
int *permit_pointer = &permit;
#endif
static volatile int landed;

__attribute__ ((noinline)) static void
land (void)
{
  landed++;
}

static void *
pilot (void *unused)
{
#ifdef GIVEN
  library_give (&permit);
#elif defined BY_POINTER
  library_give_pointed ();
#elif defined GIVEN_BEFORE
  library_give_kept ();
#elif defined NAMED
  library_give_named ();
#elif defined THREAD
  library_start (&permit);
  permit = 0;
  usleep (20000);
#elif defined TAKEN_BACK
  library_give (&permit);
  permit = 0;
#elif defined ALONE
  library_keep (&other);
#endif
#ifdef ALSO
  library_give_kept ();
#endif
#ifdef CALLBACK
  library_call (&permit, land);
#else
  land ();
#endif
#ifdef THREAD
  library_stop ();
#endif
  return unused;
}

int
main (void)
{
  pthread_t thread;
#ifdef GIVEN_BEFORE
  library_keep (&permit);
#endif
  pthread_create (&thread, 0, pilot, 0);
  pthread_join (thread, 0);
  printf ("%d %d\n", landed, other);
#ifdef ALONE
  permit = landed;
#else
  printf ("%d\n", permit);
#endif
  return 0;
}
