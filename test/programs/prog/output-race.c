/* What functions of libc read of the program's memory, while another thread, one
   for each, changes it.
   omen: race (a b c d e) */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char a[8] = "a", b[8] = "b", c[8] = "c", d[8] = "d", e[8] = "e";

static void *
change (void *arg)
{
  *(char *)arg = 'x';
  return NULL;
}

int
main (void)
{
  char *const texts[] = { a, b, c, d, e };
  pthread_t threads[5];
  for (int i = 0; i < 5; i++)
    pthread_create (&threads[i], NULL, change, texts[i]);
  puts (a);
  fputs (b, stdout);
  printf ("%s\n", c);
  fwrite (d, 1, 2, stdout);
  if (write (1, e, 2) != 2)
    return 1;
  for (int i = 0; i < 5; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
