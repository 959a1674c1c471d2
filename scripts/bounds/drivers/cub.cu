#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_histogram.cuh>
void all(void *t, size_t &n, int *a, int *b, float *f, float *g, int k) {
  cub::DeviceReduce::Sum(t, n, a, b, k);
  cub::DeviceReduce::Max(t, n, f, g, k);
  cub::DeviceScan::InclusiveSum(t, n, a, b, k);
  cub::DeviceRadixSort::SortKeys(t, n, a, b, k);
}
