/* Stretches of loads and stores whose every effect is printed: without a listener
   these run in the form that has no notes. */
#include <stdio.h>

typedef struct thing {
  int small, other;
  long sum;
  double weight;
  struct thing *next;
} thing;

static thing things[16];

__attribute__ ((noinline)) static void
mix (thing *a, thing *b)
{
  int small = a->small;
  a->small = b->other % 1000 + 1;
  b->other = small;
  a->sum = (a->sum + b->sum * 3 + a->small) % 1000003;
  b->sum = a->sum - b->small;
  a->weight = b->weight / 2 + small;
  b->weight += a->weight;
  a->next = b->next;
  b->next = a;
}

__attribute__ ((noinline)) static long
last_of (const thing *t)
{
  return t->sum + t->next->small - t->other;
}

int
main (void)
{
  unsigned long seen = 0;
  for (int i = 0; i < 16; i++)
    things[i] = (thing){ i, 2 * i, 3 * i, i / 4.0, &things[(i + 1) % 16] };
  for (unsigned i = 0; i < 400; i++) {
    mix (&things[i * 7 % 16], &things[(i * 5 + 3) % 16]);
    seen = seen * 31 + (unsigned long)last_of (&things[i % 16]);
    things[i % 16].sum &= 0xffffff;
    things[i % 16].weight = 1.0 / (1 + things[i % 16].small);
  }
  for (int i = 0; i < 16; i++)
    printf ("%d %d %ld %.6f %d\n", things[i].small, things[i].other,
            things[i].sum, things[i].weight, (int)(things[i].next - things));
  printf ("%lu\n", seen);
  return 0;
}
