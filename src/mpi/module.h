/* What omen-mpi.so is for: processes that one mpirun started learn of each
   other. It alone is linked to MPI; omen loads it if it is there and needed.

     omen_mpi_begin (&mpi);               in all of them
     omen_mpi_give (&invitation, size);   what rank 0 has, all have
     omen_mpi_end ();

   MPI is done before the work begins: a rank that dies later is a connection
   that is closed (driver/ranks), not the end of the job. */
#ifndef OMEN_MPI_MODULE_H
#define OMEN_MPI_MODULE_H

#include <stdbool.h>

typedef struct omen_mpi {
  unsigned rank, ranks;
  bool together; /* all run on one machine */
} omen_mpi;

/* A failing MPI ends the process, with a message of its own. */
void omen_mpi_begin (omen_mpi *mpi);
void omen_mpi_give (void *data, unsigned size);
void omen_mpi_end (void);

#endif
