/* A list and a map with iterators, for share/properties/unsafe-*.mop:

     omen cc --spec share/properties/unsafe-iterator.mop -Iexamples/containers \
       examples/containers/containers.c prog.c -o prog
     omen monitor --spec share/properties/unsafe-iterator.mop -- ./prog */
#ifndef OMEN_EXAMPLES_CONTAINERS_H
#define OMEN_EXAMPLES_CONTAINERS_H

#include <stddef.h>

typedef struct list list;
typedef struct map map;
typedef struct view view; /* the keys or the values of a map */
typedef struct iterator iterator;

list *list_new (void);
void list_free (list *c);
void list_add (list *c, long item);
void list_remove (list *c, size_t at);
iterator *list_iterator (list *c);
int iterator_more (const iterator *i);
long iterator_next (iterator *i);
void iterator_free (iterator *i);

map *map_new (void);
void map_free (map *m);
void map_put (map *m, long key, long value);
void map_remove (map *m, long key);
view *map_keys (map *m);
view *map_values (map *m);
void view_free (view *v);
iterator *view_iterator (view *v);
int view_more (const iterator *i);
long view_next (iterator *i);

#endif
