/* ere by the definition of its operators on parts of a word. */
#include "words.h"

typedef struct node {
  char op; /* e . | & ~ * + ? 2 0 ($ epsilon) */
  unsigned event;
  struct node *a, *b;
} node;

static node nodes[256];
static unsigned used;
static node *root;

static node *
make_node (dice *d, unsigned events, unsigned depth)
{
  static const char ops[] = "..|&~*+?2";
  node *n = &nodes[used++];
  n->op = depth && roll (d, 5) ? ops[roll (d, sizeof ops - 1)] : 'e';
  if (n->op == 'e' && roll (d, 10) == 0)
    n->op = roll (d, 4) ? '$' : '0';
  n->event = roll (d, events);
  if (n->op == 'e' || n->op == '$' || n->op == '0')
    return n;
  n->a = make_node (d, events, depth - 1);
  if (n->op == '.' || n->op == '|' || n->op == '&')
    n->b = make_node (d, events, depth - 1);
  return n;
}

static void
write (const node *n, page *p)
{
  switch (n->op) {
  case 'e':
    page_put (p, "e%u", n->event);
    return;
  case '$':
    page_put (p, "epsilon");
    return;
  case '0':
    page_put (p, "empty");
    return;
  case '~':
    page_put (p, "~(");
    write (n->a, p);
    page_put (p, ")");
    return;
  case '.':
  case '|':
  case '&':
    page_put (p, "(");
    write (n->a, p);
    page_put (p, n->op == '.' ? " " : n->op == '|' ? " | " : " & ");
    write (n->b, p);
    page_put (p, ")");
    return;
  default:
    page_put (p, "(");
    write (n->a, p);
    page_put (p, n->op == '2' ? ")^2" : ")%c", n->op);
  }
}

/* Is w[i, j) a word of the expression? */
static bool
in (const node *n, const word *w, unsigned i, unsigned j)
{
  switch (n->op) {
  case 'e':
    return j == i + 1 && w->event[i] == n->event;
  case '$':
    return i == j;
  case '0':
    return false;
  case '|':
    return in (n->a, w, i, j) || in (n->b, w, i, j);
  case '&':
    return in (n->a, w, i, j) && in (n->b, w, i, j);
  case '~':
    return !in (n->a, w, i, j);
  case '?':
    return i == j || in (n->a, w, i, j);
  case '.':
  case '2':
    for (unsigned k = i; k <= j; k++)
      if (in (n->a, w, i, k) && in (n->op == '.' ? n->b : n->a, w, k, j))
        return true;
    return false;
  default: { /* one or more; none at all is `*` */
    node star = *n;
    star.op = '*';
    if (i == j)
      return n->op == '*' || in (n->a, w, i, i);
    for (unsigned k = i + 1; k <= j; k++)
      if (in (n->a, w, i, k) && (k == j || in (&star, w, k, j)))
        return true;
    return false;
  }
  }
}

static void
make (dice *d, unsigned events, page *p)
{
  used = 0;
  root = make_node (d, events, 3);
  write (root, p);
}

static bool
holds (const word *w)
{
  return in (root, w, 0, w->length);
}

const judge judge_ere = { "ere", make, holds };
