// The driver's linker and JIT compiler: their logs for PTX files named on the command line.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>
#include <cuda.h>
#define CHECK(x) do { CUresult r_ = (x); if (r_) { const char *s = 0; cuGetErrorString(r_, &s); fprintf(stderr, "%s: %s\n", #x, s ? s : "?"); } } while (0)
int main(int argc, char **argv) {
    bool load = argv[1][0] == 'm';  // "m": cuModuleLoadDataEx; "l": cuLinkAddData of all files
    CUdevice d; CUcontext c;
    CHECK(cuInit(0)); CHECK(cuDeviceGet(&d, 0)); CHECK(cuDevicePrimaryCtxRetain(&c, d)); CHECK(cuCtxSetCurrent(c));
    std::vector<char> info(1 << 20), error(1 << 20);
    CUjit_option names[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE, CU_JIT_MAX_REGISTERS};
    int registers = atoi(argv[2]);
    void *values[] = {info.data(), (void *)(size_t)info.size(), error.data(), (void *)(size_t)error.size(), (void *)1, (void *)(size_t)registers};
    unsigned n = registers ? 6 : 5;
    auto read = [](const char *f) { std::ifstream i(f, std::ios::binary); std::stringstream s; s << i.rdbuf(); return s.str(); };
    if (load) {
        CUmodule m; std::string s = read(argv[3]);
        CHECK(cuModuleLoadDataEx(&m, s.c_str(), n, names, values));
    } else {
        CUlinkState l; CHECK(cuLinkCreate(n, names, values, &l));
        for (int i = 3; i < argc; ++i) { std::string s = read(argv[i]); CHECK(cuLinkAddData(l, s.compare(0, 4, "\x7f" "ELF") ? CU_JIT_INPUT_PTX : CU_JIT_INPUT_CUBIN, (void *)s.data(), s.size() + 1, argv[i], 0, 0, 0)); }
        void *cubin; size_t size; CHECK(cuLinkComplete(l, &cubin, &size)); CHECK(cuLinkDestroy(l));
    }
    fputs(info.data(), stdout); fputs(error.data(), stdout);
}
