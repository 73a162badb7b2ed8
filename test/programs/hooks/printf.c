//: ext 0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char text[100], word[20];
static int number, count;
static float real;
static double wide;
static char letters[3];

static int
format (char *to, size_t size, const char *how, ...)
{
  va_list args;
  va_start (args, how);
  int n = vsnprintf (to, size, how, args);
  va_end (args);
  return n;
}

int
main (void)
{
  char *made;
  sprintf (word, "%s-%d", "ab", 7);
  count = format (text, sizeof text, "%.*s|%5.1f|%-4ld|%Lg|%c%%|%s%n", 2, word,
                  2.5, 3l, 1.5L, 'c', word, &number);
  printf ("%s %d %d\n", text, count, number);
  snprintf (text, 4, "%s", "truncated");
  printf ("%c%d\n", text[2], text[3]);
  if (asprintf (&made, "%1$s %1$s", word) > 0)
    printf ("%s %c\n", made, made[2]);
  free (made);
  fprintf (stdout, "%s\n", word);
  fflush (stdout);
  dprintf (1, "%s\n", word);
  count = sscanf ("12 abc 1.5 2.5 xyz,rest", "%d %19s %f %lf %3c,%[a-z]%n",
                  &number, word, &real, &wide, letters, text, &count);
  printf ("%d %d %s %g %g %.3s %s\n", count, number, word, real, wide, letters,
          text);
  number = 5;
  count = sscanf ("x", "%d", &number);
  printf ("%d %d\n", count, number);
  return 0;
}
