/* Shares the pieces of a round among all processes that ask the same questions.
   The results are those of a single process: pieces are independent of each
   other, except for groups with an answer in an earlier window, whose other
   answers are dropped here. */
#include "predict/asker_round.h"

typedef struct sharing {
  omen_ask_round *round;
  void (*some) (omen_ask_round *r);
  omen_ask_tuples found, pending; /* of all processes */
  omen_predict_stats stats;
} sharing;

static void
archive_tuple (const omen_ask_round *r, omen_ask_tuple *t,
               omen_archive *archive)
{
  size_t room = r->asker->model->thread_count * sizeof *t->cut;
  omen_ids sequence = t->sequence;
  uint32_t *cut = t->cut;
  omen_archive_bytes (archive, t, sizeof *t);
  if (archive->reading) {
    OMEN_REQUIRE (t->group < r->inquiry->groups && t->count <= OMEN_TUPLE_MAX);
    cut = t->cut ? omen_alloc (room) : NULL;
    sequence = (omen_ids){ 0 };
  }
  if (cut)
    omen_archive_bytes (archive, cut, room);
  omen_predict_ids_archive (&sequence, archive);
  t->cut = cut;
  t->sequence = sequence;
  if (!archive->reading)
    omen_free (cut);
}

static uint32_t
group_of (const omen_ask_round *r, uint32_t piece)
{
  return r->starts ? r->pending[r->starts[piece]].group : piece;
}

/* The reasons why groups are undecided, and which instances are decided. */
static void
archive_undecided (omen_ask_round *r, uint32_t first, uint32_t end,
                   omen_archive *archive)
{
  omen_archive_bytes (archive, &first, sizeof first);
  omen_archive_bytes (archive, &end, sizeof end);
  for (uint32_t i = first; i < end; i++) {
    uint8_t *its = &r->undecided[group_of (r, i)], why = *its;
    omen_archive_bytes (archive, &why, sizeof why);
    *its |= why;
  }
  for (size_t i = r->starts ? r->starts[first] : 0;
       r->starts && i < r->starts[end]; i++)
    omen_archive_bytes (archive, &r->pending[i].decided, sizeof (bool));
}

/* ---- writing ---- */

static void
give_tuples (omen_ask_round *r, omen_ask_tuples *tuples, omen_archive *archive)
{
  OMEN_VEC_SORT (*tuples, omen_ask_by_window_first);
  omen_archive_count (archive, tuples->count);
  for (size_t i = 0; i < tuples->count; i++)
    archive_tuple (r, &tuples->data[i], archive);
  OMEN_VEC_FINI (*tuples);
}

/* Do pieces in this process, and write the results to the archive. They take
   effect when they are read from it, as in all other processes. */
static void
do_some (void *context, uint32_t first, uint32_t end, omen_archive *archive)
{
  const sharing *s = context;
  omen_ask_round *r = s->round;
  omen_ask_tuples found = { 0 }, pending = { 0 };
  omen_predict_stats stats = { 0 };
  r->next = first;
  r->end = end;
  s->some (r);
  for (unsigned i = 0; i < r->jobs; i++) {
    omen_ask_move (&found, &r->workers[i].found);
    omen_ask_move (&pending, &r->workers[i].pending);
    omen_predict_stats_add (&stats, &r->workers[i].stats);
    r->workers[i].stats = (omen_predict_stats){ 0 };
  }
  for (size_t i = 0; i < found.count; i++)
    r->found[found.data[i].group] = 0;
  archive_undecided (r, first, end, archive);
  give_tuples (r, &found, archive);
  give_tuples (r, &pending, archive);
  omen_predict_stats_archive (&stats, archive);
}

/* ---- reading ---- */

static void
take_pending (sharing *s, omen_archive *archive)
{
  size_t count = omen_archive_count (archive, 0);
  for (size_t i = 0; i < count; i++) {
    omen_ask_tuple t;
    archive_tuple (s->round, &t, archive);
    OMEN_VEC_PUSH (s->pending, t);
  }
}

static void
take_answers (void *context, omen_archive *archive)
{
  sharing *s = context;
  archive_undecided (s->round, 0, 0, archive);
  omen_ask_round *r = s->round;
  size_t count = omen_archive_count (archive, 0);
  for (size_t i = 0; i < count; i++) {
    omen_ask_tuple t;
    archive_tuple (r, &t, archive);
    if (r->found[t.group] && !r->inquiry->all && !t.spare) {
      omen_free (t.cut);
      OMEN_VEC_FINI (t.sequence);
      continue;
    }
    r->found[t.group] = 1;
    OMEN_VEC_PUSH (s->found, t);
  }
  take_pending (s, archive);
  omen_predict_stats_archive (&s->stats, archive);
  OMEN_REQUIRE (archive->ok);
}

void
omen_ask_pieces (omen_ask_round *r, uint32_t pieces,
                 void (*some) (omen_ask_round *r))
{
  omen_share *share = r->asker->options->share;
  omen_ask_worker *first = &r->workers[0];
  sharing s = { .round = r, .some = some };
  omen_share_work work
      = { r->inquiry->what, pieces, do_some, take_answers, &s };
  if (!share) {
    r->next = 0;
    r->end = pieces;
    some (r);
    return;
  }
  for (unsigned i = 0; i < r->jobs; i++) { /* keep earlier results */
    omen_ask_move (&s.found, &r->workers[i].found);
    omen_predict_stats_add (&s.stats, &r->workers[i].stats);
    r->workers[i].stats = (omen_predict_stats){ 0 };
  }
  share->run (share, &work);
  omen_ask_move (&first->found, &s.found);
  omen_ask_move (&first->pending, &s.pending);
  omen_predict_stats_add (&first->stats, &s.stats);
}
