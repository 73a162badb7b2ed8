#include "containers.h"

#include <stdlib.h>
#include <string.h>

struct list {
  long *items;
  size_t count, room;
};

struct map {
  list *keys, *values;
};

struct view {
  list *items;
};

struct iterator {
  list *over;
  size_t at;
};

/* ---- lists ---- */

list *
list_new (void)
{
  return calloc (1, sizeof (list));
}

void
list_free (list *c)
{
  free (c->items);
  free (c);
}

static void
append (list *c, long item)
{
  if (c->count == c->room) {
    c->room = c->room ? 2 * c->room : 8;
    c->items = realloc (c->items, c->room * sizeof *c->items);
    if (!c->items)
      abort ();
  }
  c->items[c->count++] = item;
}

static void
delete (list *c, size_t at)
{
  memmove (c->items + at, c->items + at + 1,
           (c->count - at - 1) * sizeof *c->items);
  c->count--;
}

void
list_add (list *c, long item)
{
  append (c, item);
}

void
list_remove (list *c, size_t at)
{
  delete (c, at);
}

static iterator *
iterate (list *over)
{
  iterator *i = malloc (sizeof *i);
  if (!i)
    abort ();
  *i = (iterator){ over, 0 };
  return i;
}

iterator *
list_iterator (list *c)
{
  return iterate (c);
}

int
iterator_more (const iterator *i)
{
  return i->at < i->over->count;
}

long
iterator_next (iterator *i)
{
  return i->at < i->over->count ? i->over->items[i->at++] : 0;
}

void
iterator_free (iterator *i)
{
  free (i);
}

/* ---- maps ---- */

map *
map_new (void)
{
  map *m = malloc (sizeof *m);
  if (!m)
    abort ();
  *m = (map){ list_new (), list_new () };
  return m;
}

void
map_free (map *m)
{
  list_free (m->keys);
  list_free (m->values);
  free (m);
}

static size_t
find (const map *m, long key)
{
  size_t at = 0;
  while (at < m->keys->count && m->keys->items[at] != key)
    at++;
  return at;
}

void
map_put (map *m, long key, long value)
{
  size_t at = find (m, key);
  if (at < m->keys->count) {
    m->values->items[at] = value;
    return;
  }
  append (m->keys, key);
  append (m->values, value);
}

void
map_remove (map *m, long key)
{
  size_t at = find (m, key);
  if (at == m->keys->count)
    return;
  delete (m->keys, at);
  delete (m->values, at);
}

static view *
view_of (list *items)
{
  view *v = malloc (sizeof *v);
  if (!v)
    abort ();
  v->items = items;
  return v;
}

view *
map_keys (map *m)
{
  return view_of (m->keys);
}

view *
map_values (map *m)
{
  return view_of (m->values);
}

void
view_free (view *v)
{
  free (v);
}

iterator *
view_iterator (view *v)
{
  return iterate (v->items);
}

int
view_more (const iterator *i)
{
  return i->at < i->over->count;
}

long
view_next (iterator *i)
{
  return i->at < i->over->count ? i->over->items[i->at++] : 0;
}
