/* Inside the binary reader: LAYOUTS and SHAPES. */
#ifndef OMEN_IO_BINARY_LAYOUTS_H
#define OMEN_IO_BINARY_LAYOUTS_H

#include "io/binary_reader.h"

/* The names have been read. False: failed. */
bool omen_binary_layouts (omen_binary_reader *reader);
/* The layouts of one chunk, which should be the next. */
bool omen_binary_next_layouts (omen_binary_reader *reader,
                               const omen_chunk *chunk);
/* A shape as in the file; false: it does not fit. */
bool omen_binary_shape (const omen_binary_reader *reader,
                        const omen_file_shape *in, omen_variable_shape *shape);

#endif
