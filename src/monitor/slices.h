/* The inside of a slicer: objects, nodes, instances and how they are found.
   Private to the files slice*.c.

   An object is a value from its first use until it is dead. A node belongs to a
   binding by which events look instances up: it has the time of the last event
   with just that binding while there was no instance of it (disable), and lists
   of instances that bind more. An instance is a binding with a machine's state.

     value -> object -> (set of parameters, objects) -> node, instance

   With millions of instances, cache misses dominate. So what an event with one
   parameter needs is in two cache lines: an object contains the node of the
   first parameter that it was bound to, and an instance begins with its state.

   Invariants:
   - an instance is in list 0 (`above`) of every node of the plan whose key is
     a proper part of its binding, and in a list `join` of those by which events
     extend it;
   - objects count the instances that bind them; a dead object that none binds
     is freed, with its nodes. */
#ifndef OMEN_MONITOR_SLICES_H
#define OMEN_MONITOR_SLICES_H

#include "monitor/pool.h"
#include "monitor/slicer.h"
#include "monitor/table.h"

#define OMEN_SETS (1 << OMEN_PARAMETERS_MAX)

/* A place in a list of instances: the instances before and after. */
typedef struct omen_slice_link {
  uint32_t prev, next;
} omen_slice_link;

typedef struct omen_list {
  uint32_t head, tail; /* instance + 1; 0: none */
} omen_list;

typedef struct omen_slice_node {
  uint64_t disable;  /* 0: never */
  uint32_t exact;    /* instance with just this binding, + 1 */
  uint8_t set;       /* its key's */
  omen_list lists[]; /* of instances above it */
} omen_slice_node;

typedef struct omen_object {
  uint64_t value;
  uint32_t chain;   /* next with the same hash, + 1 */
  uint32_t nodes;   /* its other nodes: node * 8 + position in the key, + 1 */
  uint32_t ghosts;  /* list of ghosts: instances collected because of it, + 1 */
  uint32_t holders; /* parameters of instances that are bound to it */
  uint32_t ghost_holders; /* … and of ghosts */
  bool listed;            /* in the table */
  bool dead;
  omen_slice_node home; /* of its first parameter; set 0: none yet */
} omen_object;

/* A node that is not inside an object. The plan has the offsets of the rest:
   objects of the key, links in their lists, the node. */
typedef struct omen_away {
  uint32_t chain; /* + 1 */
  uint8_t set;
  bool listed;
  uint32_t tail[];
} omen_away;

/* A collected instance (it has no state and is in no list) is kept, as a ghost,
   as long as others must find that it existed. The plan has the offsets of what
   follows: the state, links, objects by parameter, and if the property is
   `connected`, parts. */
typedef struct omen_instance {
  uint64_t created;
  uint32_t chain; /* + 1 */
  uint8_t set, dead;
  bool gone, listed;
  uint64_t state[];
} omen_instance;

/* A list that instances of some set are in. */
typedef struct omen_membership {
  uint8_t key;  /* set of parameters: whose node */
  uint8_t list; /* which of the node's */
} omen_membership;

/* What follows from the formula alone: which keys and lists are needed. */
typedef struct omen_slice_plan {
  uint32_t sets;            /* how many sets of parameters there are */
  uint8_t lists[OMEN_SETS]; /* by key: how many lists; 0: no such key */
  bool possible[OMEN_SETS]; /* there may be instances that bind just this */
  uint64_t makers;          /* set of events that may make instances */
  uint8_t binds[OMEN_EVENTS_MAX]; /* by event */
  uint8_t *join; /* by key and set of the instances: list + 1; 0: none */
  bool *idle;    /* by what an event binds, and set of the instances */
  uint8_t *link; /* by set of the instance and key: which of its links is for
                    list 0; the one after it is for the list of joins */
  omen_membership *memberships;
  uint16_t first[OMEN_SETS + 1]; /* by set: its memberships */
  uint32_t membership_count;
  uint32_t max_lists, max_home_lists, max_memberships, max_key;
  /* where things are in nodes and instances */
  size_t object_size;
  size_t away_objects, away_links, away_node, away_size;
  size_t instance_links, instance_objects, instance_parts, instance_size;
} omen_slice_plan;

static inline uint32_t
omen_plan_join (const omen_slice_plan *plan, uint32_t key, uint32_t set)
{
  return plan->join[key * plan->sets + set];
}

typedef struct omen_slice_table {
  uint32_t *slots; /* item + 1, and what else the table keeps there */
  uint32_t mask, count;
  uint32_t width; /* words of a slot */
} omen_slice_table;

struct omen_slicer {
  const omen_property *property;
  const omen_formula *formula;
  const omen_machine_engine *engine;
  const uint32_t *automaton; /* its words, if the engine is `table` */
  omen_memory memory;
  omen_slice_plan plan;
  omen_pool objects, aways, instances;
  omen_slice_table by_value, by_key, by_binding;
  omen_slice_node *root; /* of the empty key, once there was an event for it */
  uint64_t clock;
  omen_slicer_counts counts;
};

/* A binding: objects by parameter, those of the set. */
typedef struct omen_binding {
  uint32_t set;
  uint32_t objects[OMEN_PARAMETERS_MAX];
} omen_binding;

static inline bool
omen_is_single (uint32_t set)
{
  return set && !(set & (set - 1));
}

static inline omen_object *
omen_object_at (const omen_slicer *s, uint32_t i)
{
  return omen_pool_at (&s->objects, i);
}

static inline omen_away *
omen_away_at (const omen_slicer *s, uint32_t i)
{
  return omen_pool_at (&s->aways, i);
}

static inline omen_instance *
omen_instance_at (const omen_slicer *s, uint32_t i)
{
  return omen_pool_at (&s->instances, i);
}

static inline uint32_t *
omen_away_objects (const omen_slicer *s, omen_away *away)
{
  return (uint32_t *)((char *)away + s->plan.away_objects);
}

static inline omen_slice_link *
omen_away_links (const omen_slicer *s, omen_away *away)
{
  return (omen_slice_link *)((char *)away + s->plan.away_links);
}

static inline omen_slice_node *
omen_away_node (const omen_slicer *s, omen_away *away)
{
  return (omen_slice_node *)((char *)away + s->plan.away_node);
}

static inline uint32_t *
omen_instance_objects (const omen_slicer *s, omen_instance *instance)
{
  return (uint32_t *)((char *)instance + s->plan.instance_objects);
}

static inline omen_slice_link *
omen_instance_links (const omen_slicer *s, omen_instance *instance)
{
  return (omen_slice_link *)((char *)instance + s->plan.instance_links);
}

/* connected: 4 bits a parameter, its component */
static inline uint64_t *
omen_instance_parts (const omen_slicer *s, omen_instance *instance)
{
  return (uint64_t *)((char *)instance + s->plan.instance_parts);
}

/* slice_plan.c */
bool omen_plan_init (omen_slice_plan *plan, const omen_property *property,
                     const omen_formula *formula, const omen_memory *memory);
void omen_plan_fini (omen_slice_plan *plan, const omen_memory *memory);

/* slice_table.c: hash tables of objects, nodes and instances, with chains
   through the items. */
typedef void omen_rehash (omen_slicer *s, uint32_t *slots, uint32_t mask);
size_t omen_table_bytes (const omen_slice_table *table);
/* False: there is no table, and no memory for one. */
bool omen_table_room (omen_slicer *s, omen_slice_table *table,
                      omen_rehash *rehash);
void omen_table_less (omen_slicer *s, omen_slice_table *table,
                      omen_rehash *rehash);
/* A hash that puts items made one after the other into neighbouring slots. */
static inline uint64_t
omen_near (uint64_t hash, uint64_t far, uint64_t near)
{
  hash = omen_mix (hash, far);
  return (hash ^ hash >> 32) + near;
}
/* Defines a function that puts every listed item of the pool into new slots, in
   the order of memory. */
#define OMEN_REHASH(name, pool, type, hash_of, width)                          \
  static void name (omen_slicer *s, uint32_t *slots, uint32_t mask)            \
  {                                                                            \
    for (uint32_t i = omen_pool_from (&s->pool, 0); i != OMEN_NONE;            \
         i = omen_pool_from (&s->pool, i + 1)) {                               \
      type *t = omen_pool_at (&s->pool, i);                                    \
      uint32_t *slot;                                                          \
      if (!t->listed)                                                          \
        continue;                                                              \
      slot = &slots[(size_t)(hash_of (s, t) & mask) * (width)];                \
      t->chain = *slot;                                                        \
      *slot = i + 1;                                                           \
    }                                                                          \
  }

/* slice_objects.c.

   A slot has the first object of its chain, and the instance that was the
   first one above that object at the last lookup: an event will most likely
   step it, so both can be fetched from memory at once. It is only a guess. */
enum { OMEN_VALUE_WIDTH = 2 };

/* Most values are addresses of blocks, near each other and 16 bytes apart or
   more: they get neighbouring slots and do not collide, unless the table is
   smaller than the heap. Each page is shifted by one slot, so that addresses a
   power of two apart do not collide either; the last bits distinguish small
   numbers. */
static inline uint64_t
omen_value_hash (uint64_t value)
{
  uint64_t block = value / 16;
  return block + block / 256 + value % 16 * UINT64_C (0x9e3779b1);
}

static inline uint32_t *
omen_slot_of (const omen_slicer *s, uint64_t value)
{
  size_t slot = omen_value_hash (value) & s->by_value.mask;
  return &s->by_value.slots[slot * OMEN_VALUE_WIDTH];
}

/* Always inline: the function has no effect that a compiler sees, so that calls
   might be dropped. The guess may be stale: the address may be of no
   instance. */
static inline __attribute__ ((always_inline)) void
omen_fetch_guess (const omen_slicer *s, const uint32_t *slot)
{
  if (slot[1])
    __builtin_prefetch (
        (const void *)((uintptr_t)omen_instance_at (s, slot[1] - 1)
                       + offsetof (omen_instance, state)),
        1);
}

/* OMEN_NONE where there is none, or (make) no memory. */
uint32_t omen_object_find (omen_slicer *s, uint64_t value, bool make);
/* The value means another object from now on. */
void omen_object_forget (omen_slicer *s, uint32_t object);

/* slice_nodes.c: NULL where there is none, or (make) no memory. */
omen_slice_node *omen_node_find (omen_slicer *s, const omen_binding *binding,
                                 uint32_t set, bool make);
/* Remove all nodes whose key has the object. Their lists must be empty. */
void omen_nodes_remove (omen_slicer *s, uint32_t object);

/* slice_instances.c: OMEN_NONE where there is none. */
uint32_t omen_instance_find (const omen_slicer *s, const omen_binding *binding,
                             uint32_t set);
uint64_t omen_binding_hash (const omen_binding *binding, uint32_t set);
/* A new instance: found by its binding from now on. False: no memory. */
bool omen_instance_enter (omen_slicer *s, uint32_t instance);
void omen_instance_leave (omen_slicer *s, uint32_t instance);
void omen_binding_of (const omen_slicer *s, uint32_t instance,
                      omen_binding *binding);

/* slice_lists.c */
/* Its place in a list of the node of that key. */
omen_slice_link *omen_instance_in (const omen_slicer *s, uint32_t instance,
                                   uint32_t key, uint32_t list);
/* Add to, and remove from, all lists that the plan names. False: no memory for
   a node, and it is in none. */
bool omen_instance_link (omen_slicer *s, uint32_t instance);
void omen_instance_unlink (omen_slicer *s, uint32_t instance);

/* slice_valid.c: also true where checking would take too long. */
bool omen_slicer_valid (omen_slicer *s);

/* slice_report.c */
/* Before an instance steps for the first time, and after every step. */
void omen_instance_unconnected (const omen_slicer *s, omen_instance *instance);
void omen_instance_stepped (omen_slicer *s, omen_instance *instance,
                            uint32_t event, uint32_t verdict,
                            omen_report_sink sink, void *self);

#endif
