#include "tuning.cuh"

using Sel = algo::PolicySelector<float>;
template __global__ void algo::DeviceReduceKernel<Sel, float>(const float *, float *, int);
template __global__ void algo::DeviceReduceKernel<algo::PolicySelector<double>, double>(const double *, double *, int);
template __global__ void algo::DeviceReduceSingleTileKernel<Sel, float>(const float *, float *, int);

using Scan = algo::AgentReducePolicy<64, 4, algo::LOAD_CA>;
using ScanDefault = algo::AgentReducePolicy<32, 4, algo::LOAD_DEFAULT>;
template __global__ void algo::DeviceScanInitKernel<Scan>(int *, int);
template __global__ void algo::DeviceScanInitKernel<ScanDefault>(int *, int);
