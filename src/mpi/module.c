#include "mpi/module.h"

#include <mpi.h>
#include <stddef.h>

void
omen_mpi_begin (omen_mpi *mpi)
{
  int rank, ranks, here;
  MPI_Comm machine;
  MPI_Init (NULL, NULL);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                       &machine);
  MPI_Comm_size (machine, &here);
  MPI_Comm_free (&machine);
  *mpi = (omen_mpi){ (unsigned)rank, (unsigned)ranks, here == ranks };
}

void
omen_mpi_give (void *data, unsigned size)
{
  MPI_Bcast (data, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
}

void
omen_mpi_end (void)
{
  MPI_Finalize ();
}
