/* Private to the binary reader: the LAYOUTS and SHAPES chunks. */
#ifndef OMEN_IO_BINARY_LAYOUTS_H
#define OMEN_IO_BINARY_LAYOUTS_H

#include "io/binary_reader.h"

/* To be called after the names were read. False: failed. */
bool omen_binary_layouts (omen_binary_reader *reader);
/* Reads the layouts of one chunk, which has to be the next one. */
bool omen_binary_next_layouts (omen_binary_reader *reader,
                               const omen_chunk *chunk);
/* Converts a shape of the file; false if it is out of range. */
bool omen_binary_shape (const omen_binary_reader *reader,
                        const omen_file_shape *in, omen_variable_shape *shape);

#endif
