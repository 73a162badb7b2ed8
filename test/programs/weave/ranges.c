/* memcpy, memmove, memset: small ones as accesses, others as calls. */
#include "listen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char a[256], b[256];
static const char text[] = "constant text that is longer than all the small sizes taken together, yes";
static volatile size_t n = 100;

static void
copies (size_t size)
{
  memcpy (a, b, 3); //= load2 b 257; load1 b+2 1; store2 a 257; store1 a+2 1
  WALL ();
  memcpy (a, b, 32); //= load8 b 72340172838076673; load8 b+8 72340172838076673; load8 b+16 72340172838076673; load8 b+24 72340172838076673; store8 a 72340172838076673; store8 a+8 72340172838076673; store8 a+16 72340172838076673; store8 a+24 72340172838076673
  WALL ();
  memcpy (a, b, 200); //= memcpy 200 from b to a
  WALL ();
  memcpy (a, b, size); //= memcpy 100 from b to a
  WALL ();
  memmove (a + 1, a, 4); //= load4 a 16843009; store4 a+1 16843009
  WALL ();
  memmove (a + 1, a, size); //= memmove 100 from a to a+1
  WALL ();
}

static void
fills (int byte, size_t size)
{
  memset (a, 0, 4); //= store4 a 0
  WALL ();
  memset (a, byte, 3); //= store2 a 1799; store1 a+2 7
  WALL ();
  memset (a, byte, 16); //= store8 a 506381209866536711; store8 a+8 506381209866536711
  WALL ();
  memset (a, byte, 128); //= memset 128 to a
  WALL ();
  memset (a, byte, size); //= memset 100 to a
  WALL ();
}

/* What is private or constant is not reported, the other side is. */
static int
halves (size_t size)
{
  char mine[100];
  int sum = 0;
  for (size_t i = 0; i < size; i++)
    mine[i] = (char)(i * size);
  memcpy (a, mine, size); //= memcpy 100 to a
  WALL ();
  memcpy (mine, b, size); //= memcpy 100 from b
  for (size_t i = 0; i < size; i++)
    sum += mine[i];
  WALL ();
  memcpy (a, text, 4); //= store4 a 1936617315
  WALL ();
  memcpy (a, text, 70); //= memcpy 70 to a
  WALL ();
  memcpy (mine, text, 70);
  for (size_t i = 0; i < size; i++)
    sum += mine[i];
  return sum;
}

int
main (void)
{
  NAME (a);
  NAME (b);
  NAME (text);
  memset (b, 1, sizeof b);
  LISTEN (ACCESSES);
  copies (n);
  fills (7, n);
  int sum = halves (n);
  LISTEN (NOTHING);
  for (int i = 0; i < 256; i++)
    sum += a[i] * i;
  printf ("%d\n", sum);
  return 0;
}
