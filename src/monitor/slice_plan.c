/* Which nodes and lists a formula needs, from its events and enable sets. */
#include "monitor/slices.h"

#include <string.h>

static uint8_t
add_list (omen_slice_plan *plan, uint32_t key)
{
  OMEN_ASSERT (plan->lists[key] < UINT8_MAX);
  return plan->lists[key]++;
}

static bool
listens (const omen_formula *f, uint32_t event)
{
  return f->listens >> event & 1;
}

/* Add the sets that the event may make instances of, given those possible so
   far. */
static bool
find_made (omen_slice_plan *plan, const omen_formula *f, uint32_t e)
{
  uint32_t binds = plan->binds[e];
  bool more = false;
  if (f->creation >> e & 1) {
    more = !plan->possible[binds];
    plan->possible[binds] = true;
    plan->makers |= UINT64_C (1) << e;
  }
  for (uint32_t i = 0; i < f->sources[e].count; i++) {
    uint32_t source = f->sources[e].sets[i];
    if (!plan->possible[source] || !(binds & ~source))
      continue;
    more |= !plan->possible[source | binds];
    plan->possible[source | binds] = true;
    plan->makers |= UINT64_C (1) << e;
  }
  return more;
}

/* Sets that instances may bind: those of creation events, and their joins with
   events that extend them. */
static void
find_possible (omen_slice_plan *plan, const omen_property *p,
               const omen_formula *f)
{
  bool more = true;
  while (more) {
    more = false;
    for (uint32_t e = 0; e < p->events; e++)
      if (listens (f, e))
        more |= find_made (plan, f, e);
  }
}

/* List 0 of a key has all instances above it: for events that bind just the
   key, and for objects that die. */
static void
find_keys (omen_slice_plan *plan, const omen_property *p, const omen_formula *f)
{
  for (uint32_t e = 0; e < p->events; e++)
    if (listens (f, e)) {
      plan->lists[p->event[e].binds] = 1;
      for (uint32_t i = 0; i < f->idle[e].count; i++)
        if (f->idle[e].sets[i] < plan->sets)
          plan->idle[p->event[e].binds * plan->sets + f->idle[e].sets[i]]
              = true;
    }
  for (uint32_t i = 0; i < p->parameters; i++)
    plan->lists[1u << i] = 1;
}

/* An event extends instances of a source set that agree with it in the
   parameters that both bind: the node of these parameters has a list of such
   instances. */
static void
find_joins (omen_slice_plan *plan, const omen_property *p,
            const omen_formula *f)
{
  for (uint32_t e = 0; e < p->events; e++)
    for (uint32_t i = 0; listens (f, e) && i < f->sources[e].count; i++) {
      uint32_t source = f->sources[e].sets[i];
      uint32_t key = source & p->event[e].binds;
      bool extends = (p->event[e].binds & ~source) != 0;
      if (!extends || key == source || omen_plan_join (plan, key, source))
        continue;
      if (!plan->lists[key])
        add_list (plan, key); /* list 0 is always `above` */
      plan->join[key * plan->sets + source]
          = (uint8_t)(add_list (plan, key) + 1);
    }
}

/* One link for list 0, and after it one for the list of joins if there is
   one. */
static uint32_t
memberships_of (omen_slice_plan *plan, uint32_t set, omen_membership *out)
{
  uint32_t count = 0;
  for (uint32_t key = 0; plan->possible[set] && key < plan->sets; key++) {
    uint32_t join = omen_plan_join (plan, key, set);
    if (!plan->lists[key] || key & ~set || key == set)
      continue;
    plan->link[set * plan->sets + key] = (uint8_t)count;
    if (out)
      out[count] = (omen_membership){ (uint8_t)key, 0 };
    count++;
    if (join && out)
      out[count] = (omen_membership){ (uint8_t)key, (uint8_t)(join - 1) };
    count += join > 0;
  }
  OMEN_ASSERT (count <= UINT8_MAX);
  return count;
}

static bool
find_memberships (omen_slice_plan *plan, const omen_memory *memory)
{
  uint32_t all = 0;
  for (uint32_t set = 0; set < plan->sets; set++) {
    uint32_t count = memberships_of (plan, set, NULL);
    all += count;
    if (count > plan->max_memberships)
      plan->max_memberships = count;
  }
  OMEN_ASSERT (all <= UINT16_MAX);
  plan->membership_count = all;
  plan->memberships
      = omen_memory_get (memory, (all + 1) * sizeof *plan->memberships);
  if (!plan->memberships)
    return false;
  all = 0;
  for (uint32_t set = 0; set < plan->sets; set++) {
    plan->first[set] = (uint16_t)all;
    all += memberships_of (plan, set, plan->memberships + all);
  }
  plan->first[plan->sets] = (uint16_t)all;
  return true;
}

static size_t
aligned (size_t bytes, size_t to)
{
  return (bytes + to - 1) / to * to;
}

/* Objects that nearly fill a cache line are made to fill it. */
static size_t
object_size (const omen_slice_plan *plan)
{
  size_t size = offsetof (omen_object, home) + offsetof (omen_slice_node, lists)
                + plan->max_home_lists * sizeof (omen_list);
  size_t lines = aligned (size, OMEN_CACHE_LINE);
  return lines - size <= OMEN_CACHE_LINE / 4 ? lines : aligned (size, 8);
}

static void
lay_out (omen_slice_plan *plan, const omen_property *p, size_t state)
{
  size_t at = offsetof (omen_away, tail);
  plan->object_size = object_size (plan);
  plan->away_objects = at;
  at += plan->max_key * sizeof (uint32_t);
  plan->away_links = at; /* four bytes are enough for links */
  at = aligned (at + plan->max_key * sizeof (omen_slice_link), 8);
  plan->away_node = at;
  at += offsetof (omen_slice_node, lists)
        + plan->max_lists * sizeof (omen_list);
  plan->away_size = aligned (at, 8);
  at = offsetof (omen_instance, state) + aligned (state, 8);
  plan->instance_links = at;
  at += plan->max_memberships * sizeof (omen_slice_link);
  plan->instance_objects = at;
  at = aligned (at + p->parameters * sizeof (uint32_t), 8);
  plan->instance_parts = at;
  if (p->modifiers & OMEN_CONNECTED)
    at += sizeof (uint64_t);
  plan->instance_size = at;
}

static void
find_sizes (omen_slice_plan *plan)
{
  for (uint32_t key = 0; key < plan->sets; key++) {
    uint32_t size = (uint32_t)__builtin_popcount (key);
    if (plan->lists[key] && size > plan->max_key)
      plan->max_key = size;
    if (plan->lists[key] > plan->max_lists)
      plan->max_lists = plan->lists[key];
    if (size == 1 && plan->lists[key] > plan->max_home_lists)
      plan->max_home_lists = plan->lists[key];
  }
}

static bool
get_tables (omen_slice_plan *plan, const omen_memory *memory)
{
  size_t bytes = (size_t)plan->sets * plan->sets;
  plan->join = omen_memory_get (memory, bytes);
  plan->link = omen_memory_get (memory, bytes);
  plan->idle = omen_memory_get (memory, bytes);
  if (!plan->join || !plan->link || !plan->idle)
    return false;
  memset (plan->idle, 0, bytes);
  memset (plan->join, 0, bytes);
  memset (plan->link, 0, bytes);
  return true;
}

bool
omen_plan_init (omen_slice_plan *plan, const omen_property *p,
                const omen_formula *f, const omen_memory *memory)
{
  memset (plan, 0, sizeof *plan);
  plan->sets = 1u << p->parameters;
  if (!get_tables (plan, memory))
    return false;
  for (uint32_t e = 0; e < p->events; e++)
    plan->binds[e] = (uint8_t)p->event[e].binds;
  find_possible (plan, p, f);
  find_keys (plan, p, f);
  find_joins (plan, p, f);
  if (!find_memberships (plan, memory))
    return false;
  find_sizes (plan);
  lay_out (plan, p, f->machine.engine->state_bytes (&f->machine));
  return true;
}

void
omen_plan_fini (omen_slice_plan *plan, const omen_memory *memory)
{
  size_t bytes = (size_t)plan->sets * plan->sets;
  omen_memory_put (memory, plan->join, bytes);
  omen_memory_put (memory, plan->link, bytes);
  omen_memory_put (memory, plan->idle, bytes);
  omen_memory_put (memory, plan->memberships,
                   (plan->membership_count + 1) * sizeof *plan->memberships);
}
