/* omen-mpi.so: lets the processes of one mpirun exchange data. It alone is
   linked to MPI; omen loads it if it exists and is needed.

     omen_mpi_begin (&mpi);               in all of them
     omen_mpi_give (&invitation, size);   broadcasts the data of rank 0
     omen_mpi_end ();

   MPI is finalized before the work begins, so the later death of a rank closes
   a connection (driver/ranks) instead of aborting the job. */
#ifndef OMEN_MPI_MODULE_H
#define OMEN_MPI_MODULE_H

#include <stdbool.h>

typedef struct omen_mpi {
  unsigned rank, ranks;
  bool together; /* all run on one machine */
} omen_mpi;

/* If MPI fails it ends the process with its own message. */
void omen_mpi_begin (omen_mpi *mpi);
void omen_mpi_give (void *data, unsigned size);
void omen_mpi_end (void);

#endif
