/* The inside of a slicer: objects, nodes, instances and how they are found.
   Private to the files slice*.c.

   An object is a value from when it is first seen until it is dead. A node is
   what is known of one binding that events ask by: when an event with just that
   binding last came while there was no instance (disable), and lists of
   instances that bind more. An instance is a binding with a machine's state.

     value -> object -> (set of parameters, objects) -> node, instance

   Invariants:
   - an instance is in the list `above` of every node whose key it binds and
     more, of the keys that the plan has; and in a list `join` of those that
     events extend it by;
   - objects count the instances that bind them; a dead one that none binds goes,
     and its nodes with it. */
#ifndef OMEN_MONITOR_SLICES_H
#define OMEN_MONITOR_SLICES_H

#include "monitor/pool.h"
#include "monitor/slicer.h"

#define OMEN_SETS (1 << OMEN_PARAMETERS_MAX)

/* A place in a list of instances: the instances before and after. */
typedef struct omen_link {
  uint32_t prev, next;
} omen_link;

typedef struct omen_list {
  uint32_t head, tail; /* instance + 1; 0: none */
} omen_list;

typedef struct omen_object {
  uint64_t value;
  uint32_t chain;   /* next with the same hash, + 1 */
  uint32_t nodes;   /* its nodes: node * 8 + position in the key, + 1 */
  uint32_t home;    /* the last node made for it alone, + 1 */
  uint32_t ghosts;  /* list of instances that went because of it, + 1 */
  uint32_t holders; /* parameters of instances that are bound to it */
  uint32_t ghost_holders; /* … and of instances that went */
  bool dead;
} omen_object;

typedef struct omen_node {
  uint64_t disable; /* 0: never */
  uint32_t chain;   /* + 1 */
  uint32_t exact;   /* instance with just this binding, + 1 */
  uint8_t set;
  uint32_t tail[]; /* objects, links in their lists, lists of instances */
} omen_node;

/* One that went (its state is gone, it is in no list) is kept as long as others
   may ask whether it was there. */
typedef struct omen_instance {
  uint64_t created;
  uint64_t parts; /* connected: 4 bits a parameter, its component */
  uint32_t chain; /* + 1 */
  uint8_t set, dead, gone;
  uint32_t tail[]; /* objects by parameter, the state, links */
} omen_instance;

/* A list that instances of some set are in. */
typedef struct omen_membership {
  uint8_t key;  /* set of parameters: whose node */
  uint8_t list; /* which of the node's */
} omen_membership;

/* What is known before the first event: who asks by what. */
typedef struct omen_plan {
  uint32_t sets;             /* how many sets of parameters there are */
  uint8_t lists[OMEN_SETS];  /* by key: how many lists; 0: no such key */
  bool possible[OMEN_SETS];  /* instances may bind just this */
  uint8_t *join; /* by key and set of the instances: list + 1; 0: none */
  bool *idle;    /* by what an event binds, and set of the instances */
  uint8_t *link; /* by set of the instance and key: which of its links is for
                    list 0; the one after it is for the list of joins */
  omen_membership *memberships;
  uint16_t first[OMEN_SETS + 1]; /* by set: its memberships */
  uint32_t membership_count;
  uint32_t max_lists, max_memberships, max_key;
  /* where things are in nodes and instances */
  size_t node_objects, node_links, node_lists, node_size;
  size_t instance_objects, instance_state, instance_links, instance_size;
} omen_plan;

static inline uint32_t
omen_plan_join (const omen_plan *plan, uint32_t key, uint32_t set)
{
  return plan->join[key * plan->sets + set];
}

typedef struct omen_table {
  uint32_t *slots; /* item + 1 */
  uint32_t mask, count;
} omen_table;

struct omen_slicer {
  const omen_property *property;
  const omen_formula *formula;
  const omen_engine *engine;
  omen_memory memory;
  omen_plan plan;
  omen_pool objects, nodes, instances;
  omen_table by_value, by_key, by_binding;
  uint64_t clock;
  omen_slicer_counts counts;
};

/* A binding: objects by parameter, those of the set. */
typedef struct omen_binding {
  uint32_t set;
  uint32_t objects[OMEN_PARAMETERS_MAX];
} omen_binding;

static inline omen_object *
omen_object_at (const omen_slicer *s, uint32_t i)
{
  return omen_pool_at (&s->objects, i);
}

static inline omen_node *
omen_node_at (const omen_slicer *s, uint32_t i)
{
  return omen_pool_at (&s->nodes, i);
}

static inline omen_instance *
omen_instance_at (const omen_slicer *s, uint32_t i)
{
  return omen_pool_at (&s->instances, i);
}

static inline uint32_t *
omen_node_objects (const omen_slicer *s, omen_node *node)
{
  return (uint32_t *)((char *)node + s->plan.node_objects);
}

static inline omen_link *
omen_node_links (const omen_slicer *s, omen_node *node)
{
  return (omen_link *)((char *)node + s->plan.node_links);
}

static inline omen_list *
omen_node_lists (const omen_slicer *s, omen_node *node)
{
  return (omen_list *)((char *)node + s->plan.node_lists);
}

static inline uint32_t *
omen_instance_objects (const omen_slicer *s, omen_instance *instance)
{
  return (uint32_t *)((char *)instance + s->plan.instance_objects);
}

static inline void *
omen_instance_state (const omen_slicer *s, omen_instance *instance)
{
  return (char *)instance + s->plan.instance_state;
}

static inline omen_link *
omen_instance_links (const omen_slicer *s, omen_instance *instance)
{
  return (omen_link *)((char *)instance + s->plan.instance_links);
}

/* slice_plan.c */
bool omen_plan_init (omen_plan *plan, const omen_property *property,
                     const omen_formula *formula, const omen_memory *memory);
void omen_plan_fini (omen_plan *plan, const omen_memory *memory);

/* slice_tables.c: OMEN_NONE where there is none, or (make) no memory. */
uint32_t omen_object_find (omen_slicer *s, uint64_t value, bool make);
uint32_t omen_node_find (omen_slicer *s, const omen_binding *binding,
                         uint32_t set, bool make);
uint32_t omen_instance_find (const omen_slicer *s, const omen_binding *binding,
                             uint32_t set);
/* The value means another object from now on. */
void omen_object_forget (omen_slicer *s, uint32_t object);
/* Nothing may be in its lists. */
void omen_node_remove (omen_slicer *s, uint32_t node);
/* A new instance: found by its binding from now on. False: no memory. */
bool omen_instance_enter (omen_slicer *s, uint32_t instance);
void omen_instance_leave (omen_slicer *s, uint32_t instance);
void omen_binding_of (const omen_slicer *s, uint32_t instance,
                      omen_binding *binding);

/* slice_lists.c */
/* Its place in a list of the node of that key. */
omen_link *omen_instance_in (const omen_slicer *s, uint32_t instance,
                             uint32_t key, uint32_t list);
/* Into and out of all lists that the plan says. False: no memory for a node, and
   it is in none. */
bool omen_instance_link (omen_slicer *s, uint32_t instance);
void omen_instance_unlink (omen_slicer *s, uint32_t instance);

#endif
