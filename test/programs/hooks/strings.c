// Values that libc wrote are read back: nothing is left to be explained.
//: ext 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char a[64], b[64], c[64];
static char *rest;

int
main (void)
{
  int sum = 0;
  strcpy (a, "hello");
  strcat (a, ", world");
  strncpy (b, a, 5);
  strncat (b, "!!!!", 2);
  memcpy (c, a, sizeof c);
  sum += a[0] + b[5] + c[7];
  stpcpy (stpcpy (c, "x"), "y");
  sum += c[1] + c[2];
  memmove (a + 2, a, 5);
  sum += a[2] + (int)strlen (a);
  memset (b, 'z', 10);
  sum += b[9] + strcmp (a, b) + strncmp (a, b, 1) + strcasecmp (a, a);
  sum += memcmp (a, a, 64) + (int)(strchr (a, 'l') - a);
  sum += (int)(strrchr (a, 'l') - a) + (int)(strstr (a, "lo") - a);
  sum += (int)strspn (a, "he") + (int)strcspn (a, "o");
  sum += *strpbrk (a, "ol") + *(char *)memchr (a, 'l', 64);
  char *copy = strdup (a), *part = strndup (a, 3);
  sum += copy[1] + part[2] + part[3];
  free (copy);
  free (part);
  strcpy (a, "one two  three");
  for (char *t = strtok_r (a, " ", &rest); t; t = strtok_r (NULL, " ", &rest))
    sum += t[0] + (int)strlen (t);
  strcpy (a, "k=v;w");
  char *at = a, *t;
  while ((t = strsep (&at, "=;")))
    sum += t[0];
  bzero (a, 8);
  sum += a[3] + (int)strnlen (b, 4);
  char *end;
  strcpy (a, "123abc 4.5");
  sum += (int)strtol (a, &end, 10) + *end + (int)strtod (a + 7, &end) + *end;
  sum += atoi (a);
  printf ("%d\n", sum);
  return 0;
}
