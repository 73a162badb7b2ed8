/* trace: the names of parts of variables, in memory and in files. */
#include "unit.h"

#include "binary_file.h"
#include "forms.h"
#include "trace/layout.h"

static uint32_t
string (omen_trace *trace, const char *text)
{
  return text ? omen_names_id (&trace->strings, text, strlen (text))
              : OMEN_NONE;
}

static void
member (omen_trace *trace, const char *name, uint32_t layout, uint64_t bit,
        uint64_t bits)
{
  OMEN_VEC_PUSH (
      trace->layouts.members,
      ((omen_layout_member){ string (trace, name), layout, bit, bits, false }));
}

/* struct { int port; struct { char x, y; } at[3]; union { char c; int w; }; }
 */
static omen_trace *
with_layouts (const char *text)
{
  omen_trace *trace = from_text (text);
  uint32_t point, points, either, whole;
  member (trace, "x", OMEN_NONE, 0, 8);
  member (trace, "y", OMEN_NONE, 8, 8);
  point = omen_layouts_add (&trace->layouts, 2, false);
  member (trace, NULL, point, 0, 16);
  points = omen_layouts_add (&trace->layouts, 1, true);
  member (trace, "c", OMEN_NONE, 0, 8);
  member (trace, "w", OMEN_NONE, 0, 32);
  either = omen_layouts_add (&trace->layouts, 2, false);
  member (trace, "port", OMEN_NONE, 0, 32);
  member (trace, "at", points, 32, 48);
  member (trace, NULL, either, 96, 32);
  whole = omen_layouts_add (&trace->layouts, 3, false);
  omen_layouts_shape (&trace->layouts, 0,
                      (omen_variable_shape){ whole, OMEN_NONE, 0 });
  return trace;
}

static bool
note (void *data, const char *name, const omen_bit_range *part)
{
  FILE *out = data;
  fprintf (out, "%s@%d:%u ", name, (int)part->bit, (unsigned)part->bits);
  return true;
}

static void
has_names (const omen_trace *trace, omen_pid place, const char *want)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  omen_parts_visit (trace, &trace->places.data[place], "cfg", note, out);
  fclose (out);
  assert_string_equal (text, want);
  free (text);
}

static const char accesses[] = "A|w(cfg+0:4=1)|\nA|w(cfg+6:1=1)|\n"
                               "A|w(cfg+5:4=1)|\nA|w(cfg+13:1=1)|\n"
                               "A|w(other+0:4=1)|\n";

static void
names_right (const omen_trace *trace)
{
  has_names (trace, 0, "cfg.port@0:32 ");
  has_names (trace, 1,
             "cfg.at@-16:48 cfg.at.x@0:8 cfg.at[1]@0:16 cfg.at[1].x@0:8 ");
  /* the end of one element, all of the next, the begin of a third */
  has_names (trace, 2,
             "cfg.at@-8:48 cfg.at.y@0:8 cfg.at[0]@-8:16 cfg.at[0].y@0:8 "
             "cfg.at.x@8:8 cfg.at.y@16:8 cfg.at[1]@8:16 cfg.at[1].x@8:8 "
             "cfg.at[1].y@16:8 cfg.at.x@24:8 cfg.at[2]@24:16 "
             "cfg.at[2].x@24:8 ");
  has_names (trace, 3, "cfg.w@-8:32 ");
  has_names (trace, 4, "");
}

static void
a_place_has_the_names_of_what_it_touches (void **state)
{
  omen_trace *trace = with_layouts (accesses);
  names_right (trace);
  omen_trace_free (trace);
}

static void
people_see_the_smallest_that_has_all (void **state)
{
  static const char *const want[]
      = { "cfg.port", "cfg.at[1].x", "cfg.at", "cfg.w", "other" };
  omen_trace *trace = with_layouts (accesses);
  char name[OMEN_PART_NAME_MAX];
  for (size_t i = 0; i < OMEN_COUNT (want); i++)
    assert_string_equal (omen_part_name (trace, &trace->places.data[i], name),
                         want[i]);
  omen_trace_free (trace);
}

static void
a_piece_begins_inside (void **state)
{
  omen_trace *trace = with_layouts ("A|w(cfg+0:1=1)|\n");
  trace->layouts.shapes.data[0].from = 7;
  has_names (trace, 0,
             "cfg.at@-24:48 cfg.at.y@0:8 cfg.at[1]@-8:16 "
             "cfg.at[1].y@0:8 ");
  omen_trace_free (trace);
}

static void
files_keep_them (void **state)
{
  omen_trace *trace = with_layouts (accesses), *again;
  size_t size;
  char *data = to_binary (trace, 0, &size);
  again = from_binary (data, size);
  names_right (again);
  assert_true (omen_trace_identity (again) == omen_trace_identity (trace));
  omen_trace_free (again);
  omen_trace_free (trace);
  free (data);
}

/* ---- wrong ones ---- */

static void
refused (const void *layouts, size_t size, const char *why)
{
  omen_err err = { 0 };
  file_bytes file = { 0 };
  file_put_header (&file, file_header ());
  file_put_chunk (&file,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_LAYOUTS,
                                       .flags = OMEN_CHUNK_OPTIONAL,
                                       .stream = OMEN_NONE,
                                       .count = 1 },
                  layouts, size);
  file_put_end (&file, 1, 0);
  assert_null (omen_binary_parse ("t", file.data, file.count, &err));
  if (!strstr (err.what, why))
    fail_msg ("'%s' has no '%s'", err.what, why);
  OMEN_VEC_FINI (file);
}

static void
wrong_layouts_are_refused (void **state)
{
  struct {
    omen_file_layout head;
    omen_file_part parts[2];
  } file = { { 1, 0 }, { { OMEN_NONE, OMEN_NONE, 0, 8, 0, 0 } } };
  size_t one = sizeof file.head + sizeof *file.parts;
  refused (&file, one - 1, "it is cut short");
  file.parts[0].layout = 0; /* itself */
  refused (&file, one, "id or value out of range");
  file.parts[0].layout = OMEN_NONE;
  file.parts[0].name = 0;
  refused (&file, one, "id or value out of range");
  file.parts[0].name = OMEN_NONE;
  file.parts[0].bits = OMEN_LAYOUT_BITS + 1;
  refused (&file, one, "id or value out of range");
  file.head = (omen_file_layout){ 2, OMEN_LAYOUT_ARRAY };
  file.parts[0] = file.parts[1]
      = (omen_file_part){ OMEN_NONE, OMEN_NONE, 0, 8, 0, 0 };
  refused (&file, sizeof file, "id or value out of range");
}

UNIT_MAIN (UNIT (a_place_has_the_names_of_what_it_touches),
           UNIT (people_see_the_smallest_that_has_all),
           UNIT (a_piece_begins_inside), UNIT (files_keep_them),
           UNIT (wrong_layouts_are_refused))
