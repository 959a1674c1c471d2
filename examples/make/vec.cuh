#pragma once

__device__ inline float4 load4(const float* p) { return *reinterpret_cast<const float4*>(p); }
