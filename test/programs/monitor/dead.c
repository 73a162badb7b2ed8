/* Objects of the program's own allocator: slots of an array, whose end nobody
   but OMEN_DEAD tells. The first slot ends with it and is given again, the second
   one is given again without. */
#include <omen.h>
#include <stdio.h>

typedef struct slot {
  int used;
} slot;
static slot slots[2];

static slot *
slot_take (int i)
{
  slots[i].used = 1;
  return &slots[i];
}

static void
slot_close (slot *s)
{
  s->used = 0;
}

static void
slot_use (slot *s)
{
  s->used++;
}

int
main (void)
{
  for (int i = 0; i < 1000; i++) {
    slot *s = slot_take (0);
    slot_use (s);
    slot_close (s);
    OMEN_DEAD (s);
  }
  for (int i = 0; i < 3; i++) {
    slot *s = slot_take (1);
    slot_use (s);
    slot_close (s);
  }
  printf ("%d\n", slots[0].used + slots[1].used);
  return 0;
}
