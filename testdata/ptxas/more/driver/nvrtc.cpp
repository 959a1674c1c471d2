// NVRTC's program log, the options on the command line after the file.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>
#include <nvrtc.h>
int main(int argc, char **argv) {
    std::ifstream i(argv[1]); std::stringstream s; s << i.rdbuf();
    nvrtcProgram p; nvrtcCreateProgram(&p, s.str().c_str(), argv[1], 0, 0, 0);
    nvrtcResult r = nvrtcCompileProgram(p, argc - 2, (const char *const *)argv + 2);
    size_t n; nvrtcGetProgramLogSize(p, &n); std::vector<char> log(n + 1); nvrtcGetProgramLog(p, log.data());
    fputs(log.data(), stdout); if (r) printf("nvrtc: %s\n", nvrtcGetErrorString(r)); return r;
}
