/* The paper's example: an enumeration is used after its vector has changed. One
   of three is, once. */
#include <stdio.h>
#include <stdlib.h>

typedef struct vector {
  int *items;
  size_t count;
} vector;

typedef struct enumeration {
  const vector *of;
  size_t at;
} enumeration;

static enumeration *
vector_elements (vector *v)
{
  enumeration *e = malloc (sizeof *e);
  e->of = v;
  e->at = 0;
  return e;
}

static void
vector_add (vector *v, int item)
{
  v->items = realloc (v->items, (v->count + 1) * sizeof *v->items);
  v->items[v->count++] = item;
}

static void
vector_remove (vector *v)
{
  v->count--;
}

static int
enumeration_next (enumeration *e)
{
  return e->at < e->of->count ? e->of->items[e->at++] : -1;
}

int
main (void)
{
  vector v = { 0 };
  enumeration *a, *b, *c;
  int sum;
  for (int i = 0; i < 5; i++)
    vector_add (&v, i);
  a = vector_elements (&v);
  b = vector_elements (&v);
  sum = enumeration_next (a) + enumeration_next (b);
  vector_remove (&v);
  sum += enumeration_next (a);
  free (a);
  c = vector_elements (&v);
  sum += enumeration_next (c);
  free (b);
  free (c);
  free (v.items);
  printf ("sum %d\n", sum);
  return 3;
}
