/* Iterator-heavy: counts the words of many short lists, each by an iterator of
   its own: words LISTS. Prints the processor seconds and a check sum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct list {
  char (*items)[24];
  int count;
} list;
typedef struct iterator {
  const list *over;
  int at;
} iterator;

enum { SLOTS = 1 << 17, EACH = 20 };
static struct slot {
  char word[24];
  long count;
} slots[SLOTS];

static __attribute__ ((noinline)) iterator *
list_iterator (list *c)
{
  iterator *i = malloc (sizeof *i);
  i->over = c;
  i->at = 0;
  return i;
}

static __attribute__ ((noinline)) const char *
iterator_next (iterator *i)
{
  return i->at < i->over->count ? i->over->items[i->at++] : NULL;
}

static __attribute__ ((noinline)) void
list_add (list *c, long n)
{
  snprintf (c->items[c->count++], sizeof *c->items, "word-%ld", n % 50000);
}

static void
count_word (const char *word)
{
  unsigned long hash = 5381;
  for (const char *p = word; *p; p++)
    hash = hash * 33 + (unsigned char)*p;
  while (slots[hash % SLOTS].count && strcmp (slots[hash % SLOTS].word, word))
    hash++;
  strcpy (slots[hash % SLOTS].word, word);
  slots[hash % SLOTS].count++;
}

int
main (int argc, char **argv)
{
  long lists = argc > 1 ? atol (argv[1]) : 100000, sum = 0;
  clock_t start = clock ();
  for (long l = 0; l < lists; l++) {
    list c = { calloc (EACH, sizeof *c.items), 0 };
    iterator *i;
    const char *word;
    for (int k = 0; k < EACH; k++)
      list_add (&c, l * 7919 + k * 104729);
    for (i = list_iterator (&c); (word = iterator_next (i));)
      count_word (word);
    free (i);
    free (c.items);
  }
  for (long i = 0; i < SLOTS; i++)
    sum += slots[i].count * (i % 97);
  printf ("%f %ld\n", (double)(clock () - start) / CLOCKS_PER_SEC, sum);
  return 0;
}
