/* Instances in the lists of nodes, oldest first. */
#include "monitor/slices.h"

static const omen_membership *
memberships (const omen_slicer *s, uint32_t set, uint32_t *count)
{
  *count = (uint32_t)(s->plan.first[set + 1] - s->plan.first[set]);
  return s->plan.memberships + s->plan.first[set];
}

omen_slice_link *
omen_instance_in (const omen_slicer *s, uint32_t instance, uint32_t key,
                  uint32_t list)
{
  omen_instance *at = omen_instance_at (s, instance);
  uint32_t link = s->plan.link[at->set * s->plan.sets + key] + (list > 0);
  return &omen_instance_links (s, at)[link];
}

static void
append_instance (omen_slicer *s, omen_slice_node *node, uint32_t list,
                 uint32_t i)
{
  omen_list *l = &node->lists[list];
  OMEN_ASSERT (list < s->plan.lists[node->set]);
  *omen_instance_in (s, i, node->set, list) = (omen_slice_link){ l->tail, 0 };
  if (l->tail)
    omen_instance_in (s, l->tail - 1, node->set, list)->next = i + 1;
  else
    l->head = i + 1;
  l->tail = i + 1;
}

static void
take_out (omen_slicer *s, omen_slice_node *node, uint32_t list, uint32_t i)
{
  omen_list *l = &node->lists[list];
  omen_slice_link link = *omen_instance_in (s, i, node->set, list);
  OMEN_ASSERT (l->head && l->tail);
  if (link.next)
    omen_instance_in (s, link.next - 1, node->set, list)->prev = link.prev;
  else
    l->tail = link.prev;
  if (link.prev)
    omen_instance_in (s, link.prev - 1, node->set, list)->next = link.next;
  else
    l->head = link.next;
}

bool
omen_instance_link (omen_slicer *s, uint32_t i)
{
  omen_binding b;
  uint32_t count;
  omen_slice_node *nodes[UINT8_MAX];
  const omen_membership *m;
  omen_binding_of (s, i, &b);
  m = memberships (s, b.set, &count);
  OMEN_ASSERT (count <= UINT8_MAX);
  for (uint32_t j = 0; j < count; j++) {
    bool same = j && m[j].key == m[j - 1].key;
    nodes[j] = same ? nodes[j - 1] : omen_node_find (s, &b, m[j].key, true);
    if (!nodes[j])
      return false;
  }
  for (uint32_t j = 0; j < count; j++)
    append_instance (s, nodes[j], m[j].list, i);
  return true;
}

void
omen_instance_unlink (omen_slicer *s, uint32_t i)
{
  omen_binding b;
  uint32_t count;
  omen_slice_node *node = NULL;
  const omen_membership *m;
  omen_binding_of (s, i, &b);
  m = memberships (s, b.set, &count);
  for (uint32_t j = 0; j < count; j++) {
    if (!j || m[j].key != m[j - 1].key)
      node = omen_node_find (s, &b, m[j].key, false);
    OMEN_ASSERT (node);
    take_out (s, node, m[j].list, i);
  }
}
