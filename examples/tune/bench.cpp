// A benchmark for occlint tune --time: runs one kernel of a cubin and prints
// the median time of a launch in milliseconds. It knows nothing of the kernel
// but its arguments, so it serves any kernel that can run on made-up data.
//
//   bench KERNEL GRID BLOCK [ARG ...]
//
// KERNEL is the mangled name, or - for that of OCCLINT_KERNEL. The cubin is
// OCCLINT_CUBIN. Each ARG is one argument of the kernel, in order: buf:BYTES is
// a device buffer of zeros, i:N an int, l:N a 64-bit integer, f:X a float, d:X
// a double, smem:BYTES is no argument but the dynamic shared memory.
//
//   g++ -O2 bench.cpp -I$CUDA_HOME/include -ldl -o bench
#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "bench: %s\n", what.c_str());
  std::exit(1);
}

// The driver's library is opened by hand, so that the program is built where
// no driver is installed.
template <typename F>
F entry(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) fail("there is no CUDA driver: libcuda.so.1 can't be opened");
  void *f = dlsym(library, name);
  if (!f) fail(std::string("the driver has no ") + name);
  return reinterpret_cast<F>(f);
}

void check(CUresult r, const char *call) {
  if (r == CUDA_SUCCESS) return;
  const char *text = nullptr;
  entry<CUresult (*)(CUresult, const char **)>("cuGetErrorString")(r, &text);
  fail(std::string(call) + ": " + (text ? text : "unknown error"));
}

#define STRING(x) #x
#define SYMBOL(x) STRING(x) // cuda.h renames calls to their latest version
#define CALL(f, ...) check(entry<decltype(&f)>(SYMBOL(f))(__VA_ARGS__), SYMBOL(f))

// Arguments owns the values that a launch points to.
struct Arguments {
  std::deque<uint64_t> values; // a deque's elements stay where they are
  std::vector<void *> pointers;
  unsigned shared = 0;

  template <typename T>
  void add(T value) {
    values.push_back(0);
    std::memcpy(&values.back(), &value, sizeof value);
    pointers.push_back(&values.back());
  }

  void parse(const std::string &arg) {
    const size_t colon = arg.find(':');
    if (colon == std::string::npos) fail("argument \"" + arg + "\": want KIND:VALUE");
    const std::string kind = arg.substr(0, colon), value = arg.substr(colon + 1);
    if (kind == "buf") {
      CUdeviceptr buffer;
      const size_t bytes = std::strtoull(value.c_str(), nullptr, 0);
      CALL(cuMemAlloc, &buffer, bytes);
      CALL(cuMemsetD8, buffer, 0, bytes);
      add(buffer);
    } else if (kind == "i") {
      add(static_cast<int>(std::strtol(value.c_str(), nullptr, 0)));
    } else if (kind == "l") {
      add(static_cast<int64_t>(std::strtoll(value.c_str(), nullptr, 0)));
    } else if (kind == "f") {
      add(std::strtof(value.c_str(), nullptr));
    } else if (kind == "d") {
      add(std::strtod(value.c_str(), nullptr));
    } else if (kind == "smem") {
      shared = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 0));
    } else {
      fail("argument \"" + arg + "\": no kind \"" + kind + "\"");
    }
  }
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) fail("want KERNEL GRID BLOCK [ARG ...]");
  const char *cubin = std::getenv("OCCLINT_CUBIN");
  const char *kernel = std::strcmp(argv[1], "-") ? argv[1] : std::getenv("OCCLINT_KERNEL");
  if (!cubin || !kernel) fail("OCCLINT_CUBIN or OCCLINT_KERNEL is not set: run it by occlint tune --time");
  const unsigned grid = std::atoi(argv[2]), block = std::atoi(argv[3]);

  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CALL(cuInit, 0);
  CALL(cuDeviceGet, &device, 0);
  CALL(cuDevicePrimaryCtxRetain, &context, device);
  CALL(cuCtxSetCurrent, context);
  CALL(cuModuleLoad, &module, cubin);
  CALL(cuModuleGetFunction, &function, module, kernel);
  Arguments args;
  for (int i = 4; i < argc; ++i) args.parse(argv[i]);
  if (args.shared > 48 * 1024) CALL(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(args.shared));

  CUevent begin, end;
  CALL(cuEventCreate, &begin, CU_EVENT_DEFAULT);
  CALL(cuEventCreate, &end, CU_EVENT_DEFAULT);
  const int warmUps = 3, launches = 15;
  std::vector<float> times;
  for (int i = 0; i < warmUps + launches; ++i) {
    float ms;
    CALL(cuEventRecord, begin, nullptr);
    CALL(cuLaunchKernel, function, grid, 1, 1, block, 1, 1, args.shared, nullptr, args.pointers.data(), nullptr);
    CALL(cuEventRecord, end, nullptr);
    CALL(cuEventSynchronize, end);
    CALL(cuEventElapsedTime, &ms, begin, end);
    if (i >= warmUps) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  std::printf("%.4f ms\n", times[times.size() / 2]);
}
