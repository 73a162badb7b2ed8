#include "predict/windows.h"

void
omen_extent_widen (omen_position_span *extent, const omen_model *model,
                   omen_eid e)
{
  uint32_t at = e == OMEN_NONE ? 0 : omen_model_position (model, e);
  OMEN_ASSERT (at < model->event_count);
  extent->low = at < extent->low ? at : extent->low;
  extent->high = at > extent->high ? at : extent->high;
}

uint32_t
omen_windows_find (const omen_windows *windows, omen_position_span extent)
{
  uint32_t index = extent.low / windows->stride;
  OMEN_REQUIRE (extent.low <= extent.high);
  if (windows->model->event_count <= windows->size)
    return 0;
  return extent.high < (uint64_t)index * windows->stride + windows->size
             ? index
             : OMEN_NONE;
}

omen_range
omen_windows_range (const omen_windows *windows, uint32_t index)
{
  uint32_t all = windows->model->event_count;
  uint64_t from = (uint64_t)index * windows->stride;
  uint64_t to = from + windows->size;
  OMEN_REQUIRE (index != OMEN_NONE && (from < all || !index));
  return (omen_range){ (uint32_t)from, (uint32_t)(to < all ? to : all) };
}
