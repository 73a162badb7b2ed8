/* OpenMP: two regions in a row, a critical section, a reduction */
static int data[8], sum, total;

int
main (void)
{
  for (int i = 0; i < 8; i++)
    data[i] = i;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 8; i++) {
#pragma omp critical
    sum += data[i];
  }
#pragma omp parallel for num_threads(2) reduction(+ : total)
  for (int i = 0; i < 8; i++)
    total += data[i];
  return sum != total;
}
