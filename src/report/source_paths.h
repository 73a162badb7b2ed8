/* Where to look for source files (finder.h): each is DIR or FROM=TO. */
#ifndef OMEN_REPORT_SOURCE_PATHS_H
#define OMEN_REPORT_SOURCE_PATHS_H

#include "base/vec.h"

typedef OMEN_VEC (const char *) omen_source_paths;

#endif
