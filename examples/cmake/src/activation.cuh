#pragma once

// Defined in activation.cu: with -rdc it is called across object files, so the
// registers of its callers are known only after the device link.
__device__ float activate(float x);
