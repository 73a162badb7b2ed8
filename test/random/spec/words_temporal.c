/* ltl and ptltl by the definition of their operators at each place of a word.
 */
#include "words.h"

typedef struct node {
  char op; /* e ! & | ^ > o F G U R, past: p f g S [; x: a state predicate */
  unsigned event;
  struct node *a, *b;
} node;

static node nodes[256];
static unsigned used;
static node *root;

static bool
has_two (char op)
{
  return op == '&' || op == '|' || op == '^' || op == '>' || op == 'U'
         || op == 'R' || op == 'S' || op == '[';
}

static bool
is_past (char op)
{
  return op == 'p' || op == 'f' || op == 'g' || op == 'S' || op == '[';
}

/* State predicates are written, but not judged: words have no state. */
static bool with_predicates;

static node *
make_node (dice *d, unsigned events, unsigned depth, bool future)
{
  static const char ahead[] = "!&|^>oFGURFGUo", all[] = "pfgS[!&|^>";
  node *n = &nodes[used++];
  n->op = 'e';
  n->event = roll (d, events);
  if (with_predicates && !roll (d, 8))
    n->op = 'x';
  if (n->op == 'x' || !depth || !roll (d, 6))
    return n;
  n->op = future && roll (d, 4) ? ahead[roll (d, sizeof ahead - 1)]
                                : all[roll (d, sizeof all - 1)];
  future &= !is_past (n->op);
  n->a = make_node (d, events, depth - 1, future);
  if (has_two (n->op))
    n->b = make_node (d, events, depth - 1, future);
  return n;
}

static const char *
spelling (char op)
{
  switch (op) {
  case '!':
    return "not";
  case '&':
    return "and";
  case '|':
    return "||";
  case '^':
    return "xor";
  case '>':
    return "=>";
  case 'o':
    return "o";
  case 'F':
    return "<>";
  case 'G':
    return "[]";
  case 'U':
    return "U";
  case 'R':
    return "R";
  case 'p':
    return "(*)";
  case 'f':
    return "<*>";
  case 'g':
    return "[*]";
  default:
    return "S";
  }
}

static void
write (const node *n, page *p)
{
  if (n->op == 'e' || n->op == 'x') {
    page_put (p,
              n->op == 'e'   ? "e%u"
              : n->event % 2 ? "x > 0"
                             : "y == 1",
              n->event);
    return;
  }
  page_put (p, n->op == '[' ? "[" : "(");
  if (!has_two (n->op))
    page_put (p, "%s ", spelling (n->op));
  write (n->a, p);
  if (n->op == '[')
    page_put (p, ", ");
  else if (has_two (n->op))
    page_put (p, " %s ", spelling (n->op));
  if (has_two (n->op))
    write (n->b, p);
  page_put (p, n->op == '[' ? "}" : ")");
}

static bool
at (const node *n, const word *w, unsigned i)
{
  switch (n->op) {
  case 'e':
    return w->event[i] == n->event;
  case '!':
    return !at (n->a, w, i);
  case '&':
    return at (n->a, w, i) && at (n->b, w, i);
  case '|':
    return at (n->a, w, i) || at (n->b, w, i);
  case '^':
    return at (n->a, w, i) != at (n->b, w, i);
  case '>':
    return !at (n->a, w, i) || at (n->b, w, i);
  case 'o':
    return i + 1 < w->length && at (n->a, w, i + 1);
  case 'F':
    for (unsigned j = i; j < w->length; j++)
      if (at (n->a, w, j))
        return true;
    return false;
  case 'G':
    for (unsigned j = i; j < w->length; j++)
      if (!at (n->a, w, j))
        return false;
    return true;
  case 'U':
    for (unsigned j = i; j < w->length; j++) {
      if (at (n->b, w, j))
        return true;
      if (!at (n->a, w, j))
        return false;
    }
    return false;
  case 'R':
    for (unsigned j = i; j < w->length; j++) {
      if (!at (n->b, w, j))
        return false;
      if (at (n->a, w, j))
        return true;
    }
    return true;
  case 'p':
    return i > 0 && at (n->a, w, i - 1);
  case 'f':
    return at (n->a, w, i) || (i > 0 && at (n, w, i - 1));
  case 'g':
    return at (n->a, w, i) && (i == 0 || at (n, w, i - 1));
  case 'S':
    return at (n->b, w, i) || (at (n->a, w, i) && i > 0 && at (n, w, i - 1));
  default: /* [a, b}: b not since a, nor at a */
    return !at (n->b, w, i) && (at (n->a, w, i) || (i > 0 && at (n, w, i - 1)));
  }
}

static void
make_ltl (dice *d, unsigned events, page *p)
{
  used = 0;
  with_predicates = p->predicates;
  root = make_node (d, events, 3, true);
  write (root, p);
}

static void
make_ptltl (dice *d, unsigned events, page *p)
{
  used = 0;
  with_predicates = p->predicates;
  root = make_node (d, events, 3, false);
  write (root, p);
}

static bool
holds_first (const word *w)
{
  return w->length && at (root, w, 0);
}

static bool
holds_last (const word *w)
{
  return w->length && at (root, w, w->length - 1);
}

const judge judge_ltl = { "ltl", make_ltl, holds_first };
const judge judge_ptltl = { "ptltl", make_ptltl, holds_last };
