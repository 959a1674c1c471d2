package source

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// project scans files: names to texts.
func project(t *testing.T, opts Options, files map[string]string) *Project {
	t.Helper()
	fsys := fstest.MapFS{}
	var names []string
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
		names = append(names, name)
	}
	p, err := Scan(fsys, names, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// summary is an answer on one line: "256,4 @ 1:17", "maxnreg 40", "none",
// "absent", "unresolved: REASON".
func summary(a Answer) string {
	var parts []string
	switch {
	case a.Name == "":
		return "absent"
	case a.Unresolved != "":
		return "unresolved: " + a.Unresolved
	}
	if a.Threads > 0 {
		s := strconv.Itoa(a.Threads)
		if a.MinBlocks > 0 || a.Cluster > 0 {
			s += fmt.Sprintf(",%d", a.MinBlocks)
		}
		if a.Cluster > 0 {
			s += fmt.Sprintf(",%d", a.Cluster)
		}
		parts = append(parts, s)
	}
	if a.MaxRegisters > 0 {
		parts = append(parts, fmt.Sprintf("maxnreg %d", a.MaxRegisters))
	}
	if a.DynamicShared {
		parts = append(parts, "dynamic")
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, " ")
}

// TestResolve reads one file and asks for kernels by mangled name. What each
// must come to follows from the rules of C++ and CUDA; the mangled names are
// those of the Itanium ABI.
func TestResolve(t *testing.T) {
	const sm90 = "sm_90"
	type ask map[string]string // mangled name, "@ARCH" behind it where not sm_90: summary
	tests := []struct {
		name string
		src  string
		opts Options
		want ask
	}{
		{name: "literals", src: `
__global__ void __launch_bounds__(256) a() {}
__global__ void __launch_bounds__(0x100, 4u) b() {}
__global__ void __launch_bounds__(1'024, 0b10, 02) c() {}
__global__ void __launch_bounds__(256, 0) no_minimum() {}
__global__ void d() {}
void host() { d<<<1, 1>>>(); }`,
			want: ask{"_Z1av": "256", "_Z1bv": "256,4", "_Z1cv": "1024,2,2", "_Z10no_minimumv": "256", "_Z1dv": "none", "_Z4hostv": "absent"}},

		{name: "attributes before and after", src: `
__launch_bounds__(32) __global__ void a() {}
static __global__ __launch_bounds__(64, 2) void b() {}
extern "C" __global__ void __launch_bounds__(96) c() {}
__global__ void __maxnreg__(40) d() {}
__attribute__((launch_bounds(128, 3))) __global__ void e() {}
__global__ void __block_size__((8, 4, 2)) bs() {}
[[nodiscard]] __global__ void __noinline__ __launch_bounds__(160) f() {}
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(192) g() {}`,
			want: ask{"_Z1av": "32", "_ZL1bv": "64,2", "_Z1bv": "64,2", "c": "96", "_Z1cv": "absent", "_Z1dv": "maxnreg 40", "_Z1ev": "128,3", "_Z2bsv": "64", "_Z1fv": "160", "_Z1gv": "192"}},

		{name: "comments, strings, raw strings, continuations", src: `
// __global__ void __launch_bounds__(1) a() {}
/* __global__ void __launch_bounds__(2) a() {} */
// the line goes on \
__global__ void __launch_bounds__(3) a() {}
const char *s = "__global__ void __launch_bounds__(4) a() {}", *q = "\"; {";
const char *r = R"x(__global__ void __launch_bounds__(5) a() { )" )x";
char c = '"', d = '\'', e = '{';
__global__ void __launch_bounds__(/* 6 */ 7 /* , 8 */ // , 9
  ) a() { const char *t = "}"; char u = '{'; /* } */ }
__glo\
bal__ void __launch_bounds__(1\
0) b() {}`,
			want: ask{"_Z1av": "7", "_Z1bv": "10"}},

		{name: "digraphs and alternative words", src: `
%:define N 64
__global__ void __launch_bounds__(N, 1 + (1 and not 0)) a(int *p) <% p<:0:> = 1; %>
__global__ void __launch_bounds__(32) b() {}`,
			want: ask{"_Z1aPi": "64,2", "_Z1bv": "32"}},

		{name: "constants", src: `
constexpr int A = 128, B = A * 2;
const unsigned C{96};
static constexpr auto D = B / 2 + 1;
enum { E = 64, F, G = F + 10, H };
enum class K : int { X = 8, Y };
enum Plain { P = 3, Q };
#define M (A + 32)
inline constexpr int I(160);
__global__ void __launch_bounds__(B) b() {}
__global__ void __launch_bounds__(C, D - 126) c() {}
__global__ void __launch_bounds__(F, H - F) f() {}
__global__ void __launch_bounds__((int)K::X * 4, static_cast<int>(K::Y)) k() {}
__global__ void __launch_bounds__(Q * 32, Plain::P) q() {}
__global__ void __launch_bounds__(M) m() {}
__global__ void __launch_bounds__(I) i() {}`,
			want: ask{"_Z1bv": "256", "_Z1cv": "96,3", "_Z1fv": "65,11", "_Z1kv": "32,9", "_Z1qv": "128,3", "_Z1mv": "160", "_Z1iv": "160"}},

		{name: "expressions", src: `
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
template <int N> constexpr int twice() { return N * 2; }
template <typename T> constexpr int per = 16 / sizeof(T);
__global__ void __launch_bounds__(1 << 7, 7 % 4) a() {}
__global__ void __launch_bounds__(true ? 32 : 1 / 0) b() {}
__global__ void __launch_bounds__(0 || 64, 1 && 3 > 2) c() {}
__global__ void __launch_bounds__(ceil_div(100, 32) * 32) d() {}
__global__ void __launch_bounds__(twice<48>()) e() {}
__global__ void __launch_bounds__(std::min(512, 256), std::max<int>(1, 2)) f() {}
__global__ void __launch_bounds__(sizeof(float4) * 8, sizeof(short)) g() {}
__global__ void __launch_bounds__(per<float> * 32, per<double>) h() {}
__global__ void __launch_bounds__(~-33, - -2) i() {}
__global__ void __launch_bounds__(256 >> 1, 6 & 3 | 4 ^ 1) j() {}
__global__ void __launch_bounds__(unsigned(64) + size_t{0}, 'A' - '@') k() {}`,
			want: ask{"_Z1av": "128,3", "_Z1bv": "32", "_Z1cv": "1,1", "_Z1dv": "unresolved: ceil_div is not worked out, since it has a call", "_Z1ev": "unresolved: twice is not worked out, since it has a call", "_Z1fv": "unresolved: std::min is not worked out, since it has a call", "_Z1gv": "128,2", "_Z1hv": "unresolved: per is not worked out, since it has template arguments", "_Z1iv": "32,2", "_Z1jv": "128,7", "_Z1kv": "64,1"}},

		{name: "namespaces", src: `
namespace a { namespace b { constexpr int T = 32; } constexpr int T = 64;
__global__ void __launch_bounds__(T) k() {}
namespace b { __global__ void __launch_bounds__(T, 2) k() {} }
inline namespace v1 { __global__ void __launch_bounds__(b::T) v() {} constexpr int V = 96; }
namespace { __global__ void __launch_bounds__(128) hidden() {} }
}
namespace c::d { constexpr int T = 160; __global__ void late(); }
__global__ void __launch_bounds__(T) c::d::late() {}
using namespace c::d;
__global__ void __launch_bounds__(T + a::V) used() {}
namespace alias = c::d;
__global__ void __launch_bounds__(alias::T) aliased() {}
__global__ void __launch_bounds__(::a::T) global() {}`,
			want: ask{"_ZN1a1kEv": "64", "_ZN1a1b1kEv": "32,2", "_ZN1a2v11vEv": "32",
				"_ZN1a40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEv": "absent", // of another file
				"_ZN1a32_GLOBAL__N__1251166d_4_t_cu_abcd6hiddenEv":         "128",
				"_ZN1c1d4lateEv": "160", "_Z4usedv": "256", "_Z7aliasedv": "160", "_Z6globalv": "64"}},

		{name: "classes", src: `
struct P { static constexpr int threads = 128; enum { blocks = 2 }; struct In { static const int n = 3; }; };
struct Q : public P { static constexpr int more = threads * 2; };
template <int N, int M = N * 2> struct T { static constexpr int a = N + M; using U = T<M>; };
template <> struct T<1, 1> { static constexpr int a = 7; };
template <int M> struct T<5, M> { static constexpr int a = M; };
typedef T<32> Alias;
struct ByAlias : Alias {}; template <typename X> struct ByParam : X { using Up = X; };
template <typename X> __global__ void __launch_bounds__(X::a) g() {}
__global__ void __launch_bounds__(P::threads, P::blocks) a() {}
__global__ void __launch_bounds__(Q::more, Q::In::n) b() {}
__global__ void __launch_bounds__(T<32>::a) c() {}
__global__ void __launch_bounds__(T<1, 1>::a) d() {}
__global__ void __launch_bounds__(T<5, 64>::a) e() {}
__global__ void __launch_bounds__(Alias::U::a) f() {}`,
			want: ask{"_Z1av": "128,2", "_Z1bv": "unresolved: members of Q may be of its base, and bases are not followed",
				"_Z1cv": "unresolved: T::a is not worked out, since it has template arguments", "_Z1dv": "unresolved: T::a is not worked out, since it has template arguments", "_Z1ev": "unresolved: T::a is not worked out, since it has template arguments",
				"_Z1fv":                      "unresolved: Alias is another name of a type, which is not followed",
				"_Z1gI7ByAliasEvv":           "unresolved: the type ByAlias is not worked out",
				"_Z1gI7ByParamI7ByAliasEEvv": "unresolved: the type ByParam<ByAlias> is not worked out"}},

		{name: "template parameters", src: `
enum Mode { Slow = 1, Fast };
template <int N, bool Big = false> __global__ void __launch_bounds__(Big ? N * 2 : N) a() {}
template <typename T, unsigned N> __global__ void __launch_bounds__(N / sizeof(T)) b(T *) {}
template <Mode m> __global__ void __launch_bounds__(m == Fast ? 64 : 32) c() {}
template <class Traits> __global__ void __launch_bounds__(Traits::kThreads, Traits::kBlocks) d() {}
template <int W> struct Tr { static constexpr int kThreads = W * 32; static constexpr int kBlocks = W > 4 ? 1 : 2; };
template <int... Ns> __global__ void __launch_bounds__(64) e() {}
template <int... Ns> __global__ void __launch_bounds__(sizeof...(Ns)) f() {}
template <int N> __global__ void __launch_bounds__(128) g() {}
template <typename T> concept Any = true;
template <Any T, int N> requires (N > 0) && Any<T> __global__ void __launch_bounds__(N * sizeof(T)) h() {}
template <template <class> class C, class... Ts> __global__ void __launch_bounds__(96) i(Ts...) {}
template <auto N> __global__ void __launch_bounds__(N) j() {}`,
			want: ask{"_Z1aILi64ELb1EEvv": "128", "_Z1aILi64ELb0EEvv": "64", "_Z1bIdLj512EEvPT_": "64", "_Z1bIfLj512EEvPT_": "128",
				"_Z1cIL4Mode2EEvv": "64", "_Z1cIL4Mode1EEvv": "32",
				"_Z1dI2TrILi8EEEvv":  "unresolved: the type Tr<8> is not worked out",
				"_Z1dI5OtherEvv":     "unresolved: the type Other is not worked out",
				"_Z1eIJLi1ELi2EEEvv": "64",
				"_Z1fIJLi1ELi2EEEvv": `unresolved: sizeof without brackets is not understood`,
				"_Z1hIfLi32EEvv":     "128", "_Z1iI1TJfiEEvDpT0_": "96", "_Z1jILi64EEvv": "64",
				"_Z1gILi3EEvv":        "128",
				"_Z1gILi3EELi9garble": "128"}},

		{name: "specializations and overloads", src: `
template <typename T, int N> __global__ void __launch_bounds__(N) s(T *) {}
template <> __global__ void __launch_bounds__(96) s<double, 4>(double *) {}
template <> __global__ void s<double, 8>(double *) {}
template __global__ void s<float, 32>(float *);
__global__ void __launch_bounds__(32) o(int) {}
__global__ void __launch_bounds__(64) o(int, int) {}
__global__ void __launch_bounds__(128) o(float) {}`,
			want: ask{"_Z1sIdLi4EEvPT_": "96", "_Z1sIdLi8EEvPT_": "8", "_Z1sIfLi32EEvPT_": "32",
				"_Z1oii": "64", "_Z1oi": "32", "_Z1of": "128"}},

		{name: "declarations apart", src: `
__global__ void a();
__global__ void __launch_bounds__(64) a() {}
__global__ void __launch_bounds__(96) b();
__global__ void __launch_bounds__(96) b() {}
__global__ void __launch_bounds__(96) c();
__global__ void __launch_bounds__(128) c() {}
__global__ void __launch_bounds__(96) only_declared();
__global__ void __launch_bounds__(160, 3) inherits();
__global__ void inherits() {}
#ifdef TUNED
__global__ void __launch_bounds__(192) perhaps();
#endif
__global__ void perhaps() {}`,
			want: ask{"_Z1av": "64", "_Z1bv": "96", "_Z1cv": "unresolved: it is declared differently at t.cu:6 (96) and at t.cu:7 (128)", "_Z13only_declaredv": "96",
				"_Z8inheritsv": "160,3", "_Z7perhapsv": `unresolved: it depends on "defined(TUNED)" at t.cu:11, which is not known: no bounds or 192`}},

		{name: "macros", src: `
#define LB(...) __launch_bounds__(__VA_ARGS__)
#define LB2(t, b) LB((t), (b))
#define ATTR LB(96)
#define K(n, t) __global__ void LB(t) kernel_##n() {}
#define TWO 64, 2
#define EMPTY
#define CALL(f, ...) f(__VA_ARGS__)
#define SELF (SELF)
#define OPT(t, ...) LB(t __VA_OPT__(,) __VA_ARGS__)
__global__ void LB2(128, 3) a() {}
ATTR __global__ void b() {}
K(1, 32) K(2,
  64)
__global__ EMPTY void __launch_bounds__(TWO) c() {}
__global__ void CALL(LB, 160, 1) d() {}
__global__ void OPT(192) e() {}
__global__ void OPT(192, 2) f() {}
#undef TWO
#define TWO 256
__global__ void __launch_bounds__(TWO) g() {}
__global__ void __launch_bounds__(SELF) h() {}`,
			want: ask{"_Z1av": "128,3", "_Z1bv": "96", "_Z8kernel_1v": "32", "_Z8kernel_2v": "64", "_Z1cv": "64,2", "_Z1dv": "160,1", "_Z1ev": "192", "_Z1fv": "192,2", "_Z1gv": "256",
				"_Z1hv": "unresolved: SELF is not defined in the scanned files: --define SELF=… would settle it"}},

		{name: "what the build passes", src: `
#ifndef DEFAULTED
#define DEFAULTED 128
#endif
__global__ void __launch_bounds__(TPB) a() {}
__global__ void __launch_bounds__(DEFAULTED) b() {}
#ifdef FEATURE
__global__ void __launch_bounds__(32) c() {}
#else
__global__ void __launch_bounds__(64) c() {}
#endif`,
			want: ask{"_Z1av": "unresolved: TPB is not defined in the scanned files: --define TPB=… would settle it",
				"_Z1bv": "unresolved: DEFAULTED is what the build passes with -D, and that is not known; otherwise it is 128",
				"_Z1cv": `unresolved: it depends on "defined(FEATURE)" at t.cu:7, which is not known: 32 or 64`}},

		{name: "what the build passes, told", opts: Options{Defines: map[string]string{"TPB": "96", "DEFAULTED": "256"}, Undefined: []string{"FEATURE"}}, src: `
#ifndef DEFAULTED
#define DEFAULTED 128
#endif
__global__ void __launch_bounds__(TPB) a() {}
__global__ void __launch_bounds__(DEFAULTED) b() {}
#ifdef FEATURE
__global__ void __launch_bounds__(32) c() {}
#else
__global__ void __launch_bounds__(64) c() {}
#endif`,
			want: ask{"_Z1av": "96", "_Z1bv": "256", "_Z1cv": "64"}},

		{name: "architectures", src: `
#if __CUDA_ARCH__ >= 900 && !defined(__HIPCC__)
#define BLOCKS 3
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800)
#define BLOCKS 2
#else
#define BLOCKS 1
#endif
#if __CUDA_ARCH__ >= 800
#define HAS_ASYNC 1
#else
#define HAS_ASYNC 0
#endif
struct T {
#if HAS_ASYNC
  static constexpr int n = 256;
#else
  static constexpr int n = 128;
#endif
};
__global__ void __launch_bounds__(64, BLOCKS) a() {}
__global__ void __launch_bounds__(__CUDA_ARCH__ / 10) b() {}
__global__ void __launch_bounds__(T::n) c() {}
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
__global__ void __launch_bounds__(384) d() {}
#else
__global__ void __launch_bounds__(128) d() {}
#endif
__global__ void
#if __CUDA_ARCH__ < 900
__launch_bounds__(32)
#endif
e() {}`,
			want: ask{"_Z1av": "64,3", "_Z1av@sm_80": "64,2", "_Z1av@sm_86": "64,1", "_Z1bv": "90", "_Z1bv@sm_103a": "103", "_Z1cv@sm_75": "128", "_Z1cv": "256",
				"_Z1dv": "128", "_Z1dv@sm_90a": "384", "_Z1dv@sm_100a": "128", "_Z1ev": "none", "_Z1ev@sm_86": "32",
				"_Z1bv@": "unresolved: __CUDA_ARCH__ is not defined in the scanned files"}},

		{name: "conditions that do not matter", src: `
#ifdef DEBUG
#define LOG(x) print(x)
constexpr int verbose = 1;
#else
#define LOG(x)
constexpr int verbose = 0;
#endif
#ifdef WINDOWS
#define API __declspec(dllexport)
#else
#define API
#endif
#ifdef DEBUG
constexpr int same = 64;
#else
constexpr int same = 32 * 2;
#endif
API __global__ void __launch_bounds__(128) a() { LOG("}"); }
__global__ void __launch_bounds__(same) b() {
#ifdef DEBUG
  if (1) {
#else
  {
#endif
  }
}
__global__ void __launch_bounds__(96) c() {}
#if 0
__global__ void __launch_bounds__(1) c() {}
#endif
#if 1
__global__ void __launch_bounds__(160) d() {}
#else
} broken "
#endif`,
			want: ask{"_Z1av": "128", "_Z1bv": "64", "_Z1cv": "96", "_Z1dv": "160"}},

		{name: "heads in two branches", src: `
#ifdef WIDE
__global__ void __launch_bounds__(512) a(int n)
#else
__global__ void __launch_bounds__(256) a(int n)
#endif
{ }
__global__ void __launch_bounds__(64) b(
#ifdef WIDE
  long n
#else
  int n
#endif
) {}
__global__ void __launch_bounds__(32) c() {}`,
			want: ask{"_Z1ai": `unresolved: it depends on "defined(WIDE)" at t.cu:2, which is not known: 512 or 256`, "_Z1bi": "64", "_Z1cv": "32"}},

		{name: "names that could be macros", src: `
__global__ void SOME_BOUNDS_2(256, 4) a(int) {}
__global__ SOME_ATTRIBUTE void b(int) {}
__global__ void __launch_bounds__(64) SOME_ATTRIBUTE c(int) {}
SOME_REGISTRATION(a, b)
__global__ void __launch_bounds__(32) d(int) {}
SOME_REGISTRATION(a, b)
__global__ void e(int) {}
__global__ typename enable<1>::type f(int) {}
SOME_API
__global__ void g(int) {}
SOME_API __global__ void h(int) {}
SOME_LAUNCH_ATTRIBUTE
__global__ void i(int) {}`,
			want: ask{"_Z1ai": "unresolved: SOME_BOUNDS_2 is not defined in the scanned files, and may stand for launch bounds: --define SOME_BOUNDS_2=… would settle it",
				"_Z1bi": "unresolved: SOME_ATTRIBUTE is not defined in the scanned files, and may stand for launch bounds: --define SOME_ATTRIBUTE=… would settle it",
				"_Z1ci": "64", "_Z1di": "32", "_Z1ei": "none", "_Z1fi": "none", "_Z1gi": "none",
				"_Z1hi": "unresolved: SOME_API is not defined in the scanned files, and may stand for launch bounds: --define SOME_API=… would settle it",
				"_Z1ii": "unresolved: SOME_LAUNCH_ATTRIBUTE is not defined in the scanned files, and may stand for launch bounds: --define SOME_LAUNCH_ATTRIBUTE=… would settle it"}},

		{name: "kernels whose __global__ is elsewhere", src: `
GLOBAL_FROM_ELSEWHERE __launch_bounds__(
    64 + 32,
    1) void a(int) {}
static ANOTHER __maxnreg__(40) void b(int) {}
#define __global__ __attribute__((global))
__global__ void __launch_bounds__(128) c() {}
__attribute__((global)) void d() {}
ANOTHER void e(int) {}
#ifdef __INTELLISENSE__
#define __launch_bounds__(...)
#endif
__global__ void __launch_bounds__(160) f() {}`,
			want: ask{"_Z1ai": "96,1", "_Z1bi": "maxnreg 40", "_Z1cv": "128", "_Z1dv": "none", "_Z1ei": "absent", "_Z1fv": "160"}},

		{name: "comparisons that look like template arguments", src: `
template <int N, int M> __global__ void __launch_bounds__(32 < N ? 32 : N, M > 2 ? 1 : 2) a() {}
template <int N, int M> __global__ void __launch_bounds__(N < 32 ? N : 32, M > 2 ? 1 : 2) b() {}
template <int N, int M> __global__ void __launch_bounds__((N < 32) + N, (M > 2)) c() {}
template <int N> struct T { static constexpr int v = N; };
template <int N, int M> __global__ void __launch_bounds__(T<(N < 32) ? 64 : 128>::v, T<(M > 2)>::v) d() {}`,
			want: ask{"_Z1aILi64ELi4EEvv": "32,1", "_Z1bILi16ELi1EEvv": "16,2", "_Z1cILi16ELi4EEvv": "17,1", "_Z1dILi16ELi4EEvv": "unresolved: T::v is not worked out, since it has template arguments"}},

		{name: "what is no bound", src: `
int runtime = 256;
extern const int elsewhere;
constexpr float F = 1.5f;
__global__ void __launch_bounds__(runtime) a() {}
__global__ void __launch_bounds__(elsewhere) b() {}
__global__ void __launch_bounds__(F * 64) c() {}
__global__ void __launch_bounds__(2048) d() {}
__global__ void __launch_bounds__(0) e() {}
__global__ void __launch_bounds__(32 / 0) f() {}
__global__ void __launch_bounds__() g() {}
__global__ void __launch_bounds__(1, 2, 3, 4) h() {}
__global__ void __launch_bounds__(0xFFFFFFFFu + 1) i() {}
__global__ void __launch_bounds__(2147483647 + 1) j() {}
constexpr int L = L2, L2 = L;
__global__ void __launch_bounds__(L) k() {}
__global__ void __launch_bounds__(64) __launch_bounds__(32) l() {}
constexpr int f2(int n) { while (n < 9) n++; return n; }
__global__ void __launch_bounds__(f2(3)) m() {}
constexpr int f3(int n) { if (n > 9) return n; }
__global__ void __launch_bounds__(f3(3)) n() {}
constexpr int f4(int n) { return f4(n + 1); }
__global__ void __launch_bounds__(f4(3)) o() {}`,
			want: ask{"_Z1av": "unresolved: runtime is not defined in the scanned files", "_Z1bv": "unresolved: elsewhere is not defined in the scanned files",
				"_Z1cv": "unresolved: 1.5f is not an integer", "_Z1dv": "unresolved: the value 2048 is out of range", "_Z1ev": "unresolved: the value 0 is out of range",
				"_Z1fv": "unresolved: division by zero", "_Z1gv": "unresolved: launch bounds take one to three numbers", "_Z1hv": "unresolved: launch bounds take one to three numbers",
				"_Z1iv": "unresolved: the result does not fit 32 bits", "_Z1jv": "unresolved: the result does not fit 32 bits",
				"_Z1kv": "unresolved: L2 is not defined in the scanned files: --define L2=… would settle it", "_Z1lv": "unresolved: the declaration has more than one __launch_bounds__",
				"_Z1mv": "unresolved: f2 is not worked out, since it has a call", "_Z1nv": "unresolved: f3 is not worked out, since it has a call",
				"_Z1ov": "unresolved: f4 is not worked out, since it has a call"}},

		{name: "macros around namespaces", src: `
#ifndef PREFIX
#define PREFIX
#endif
#define BEGIN PREFIX namespace lib {
#define END }
#ifdef WRAPPED
namespace WRAPPED {
#endif
BEGIN
__global__ void __launch_bounds__(32) a() {}
END
#ifdef WRAPPED
}
#endif
NOBODY_KNOWS namespace other {
__global__ void __launch_bounds__(64) b() {}
}
__global__ void __launch_bounds__(96) c() {}`,
			want: ask{"_ZN3lib1aEv": "32", "_ZN5other1bEv": "64", "_Z1cv": "96"}},

		{name: "braces in branches", src: `
#if defined(A_C)
#define TABLE(name) static const int name[3] = {
#define END };
#elif defined(A_CUDA)
#define TABLE(name) static const __device__ int name[3] = {
#define END };
#endif
TABLE(t) 1, 2, 3 END
TABLE(u) 1, 2, 3 END
#ifdef A
__global__ void __launch_bounds__(32) a(int n) {
  if (n) {
#else
__global__ void __launch_bounds__(32) a(long n) {
  {
#endif
  }
#ifdef A
}
#else
  if (n) {} }
#endif
__global__ void __launch_bounds__(64) b() {}
#ifdef A
namespace x {
#endif
constexpr int X = 96;
#ifdef A
}
using namespace x;
#endif
__global__ void __launch_bounds__(X) c() {}
__global__ void __launch_bounds__(128) d()
#ifdef A
;
#else
{}
#endif
__global__ void __launch_bounds__(160) e() {}`,
			want: ask{"_Z1ai": "32", "_Z1al": "32", "_Z1bv": "64", "_Z1cv": "unresolved: X is not defined in the scanned files; if defined(A) it is 96", "_Z1dv": "128", "_Z1ev": "160"}},

		{name: "what only PTX says", src: `
enum Type { Q4, Q8 };
constexpr int warps(Type t) { return t == Q8 ? 8 : 4; }
template <class T> struct Policy { static constexpr int threads = 128; };
template <> struct Policy<float> { static constexpr int threads = 64; };
template <class T> constexpr int blocks = 2;
template <> constexpr int blocks<float> = 8;
template <Type t> __global__ void __launch_bounds__(warps(t) * 32) a() {}
template <class T> __global__ void __launch_bounds__(Policy<T>::threads) b() {}
template <class P> __global__ void __launch_bounds__(P::threads) c() {}
template <class T> __global__ void __launch_bounds__(256, blocks<T>) d() {}
template <class T> __global__ void __launch_bounds__(std::is_same<T, float>::value ? 64 : 128) e() {}`,
			want: ask{"_Z1aIL4Type1EEvv": "unresolved: warps is not worked out, since it has a call",
				"_Z1bIfEvv":          "unresolved: Policy::threads is not worked out, since it has template arguments",
				"_Z1cI6PolicyIfEEvv": "unresolved: the type Policy<float> is not worked out",
				"_Z1dIfEvv":          "unresolved: blocks is not worked out, since it has template arguments",
				"_Z1eIfEvv":          "unresolved: std::is_same::value is not worked out, since it has template arguments"}},

		{name: "namespaces that macros name", src: `
#ifdef NS
#define mylib NS
#endif
namespace mylib { namespace inner {
__global__ void __launch_bounds__(64) a() {}
} }
#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
namespace lib { inline namespace CONCAT(v1_, __CUDA_ARCH_LIST__) {
__global__ void __launch_bounds__(96) b() {}
__global__ void c() {}
} }
inline namespace FROM_ELSEWHERE(v, 1) {
__global__ void __launch_bounds__(160) e() {}
}
#ifdef WRAP
namespace WRAP {
#endif
namespace outer {
__global__ void __launch_bounds__(32) d() {}
}
#ifdef WRAP
}
#endif`,
			want: ask{"_ZN5mylib5inner1aEv": "64",
				"_ZN3foo5inner1aEv":       "unresolved: whether it is foo::inner::a hangs on a macro that names a namespace around it, and that only the build knows",
				"_ZN3foo3bar5inner1aEv":   "unresolved: whether it is foo::bar::inner::a hangs on a macro that names a namespace around it, and that only the build knows",
				"_ZN3foo5other1aEv":       "absent",
				"_ZN3lib10v1_800_9001bEv": "96",
				"_ZN3lib10v1_800_9001cEv": "none",
				"_ZN2v11eEv":              "unresolved: whether it is v1::e hangs on a macro that names a namespace around it, and that only the build knows",
				"_ZN5outer1dEv":           "32",
				"_ZN3foo5outer1dEv":       "unresolved: whether it is foo::outer::d hangs on a macro that names a namespace around it, and that only the build knows",
				"_ZN3foo5outer3bar1dEv":   "absent"}},

		{name: "a namespace that a macro names, told", opts: Options{Defines: map[string]string{"NS": "foo"}}, src: `
#ifdef NS
#define mylib NS
#endif
namespace mylib {
__global__ void __launch_bounds__(64) a() {}
}`,
			want: ask{"_ZN3foo1aEv": "64", "_ZN5mylib1aEv": "absent"}},

		{name: "overloads by their template parameters", src: `
template <int N> __global__ void __launch_bounds__(N) a(float *) {}
template <int N, int M> __global__ void __launch_bounds__(N * M) a(float *) {}
template <class T, int... Ns> __global__ void __launch_bounds__(96) a(float *) {}
template <int N, class T> __global__ void __launch_bounds__(160) a(float *) {}`,
			want: ask{"_Z1aILi64EEvPf": "64", "_Z1aILi64ELi2EEvPf": "128", "_Z1aIfJLi1ELi2EEEvPf": "96", "_Z1aILi64EfEvPf": "160"}},

		{name: "dynamic shared memory of a function that comes later", src: `
__device__ float helper(int i);
__global__ void a(float *p) { p[0] = helper(1); }
__device__ float helper(int i) { extern __shared__ float s[]; return s[i]; }`,
			want: ask{"_Z1aPf": "dynamic"}},

		{name: "dynamic shared memory of a template parameter", src: `
struct A { __device__ void run() { extern __shared__ int s[]; s[0] = 1; } static __device__ void all() { extern __shared__ int s[]; s[0] = 1; } __device__ void none() {} };
template <class T> __global__ void a(T op) { op.run(); }
template <class T> __global__ void b() { T::all(); }
template <class T> __global__ void c(T op) { op.none(); }`,
			want: ask{"_Z1aI1AEvT_": "dynamic", "_Z1bI1AEvv": "dynamic", "_Z1cI1AEvT_": "none"}},

		{name: "dynamic shared memory", src: `
extern __shared__ char all[];
template <class T> struct Shared { __device__ operator T *() { extern __shared__ int s[]; return (T *)s; } };
__device__ void helper() { extern __shared__ float h[]; h[0] = 1; }
__device__ void outer() { helper(); }
__global__ void a() { extern __shared__ __align__(16) float s[]; s[0] = 1; }
__global__ void b() { all[0] = 1; }
__global__ void c() { float *p = Shared<float>(); }
__global__ void d() { outer(); }
__global__ void e() { __shared__ float s[32]; s[0] = 1; }
__global__ void f() {
#if __CUDA_ARCH__ >= 900
  extern __shared__ float s[];
#endif
}`,
			want: ask{"_Z1av": "dynamic", "_Z1bv": "dynamic", "_Z1cv": "dynamic", "_Z1dv": "dynamic", "_Z1ev": "none", "_Z1fv": "dynamic", "_Z1fv@sm_80": "none"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := project(t, tt.opts, map[string]string{"t.cu": tt.src})
			for _, n := range p.Notes() {
				t.Errorf("note: %v", n)
			}
			for mangled, want := range tt.want {
				arch := sm90
				if name, other, found := strings.Cut(mangled, "@"); found {
					mangled, arch = name, other
				}
				if got := summary(p.Find(mangled, arch)); got != want {
					t.Errorf("%s on %s: %s\nwant %s", mangled, arch, got, want)
				}
			}
		})
	}
}
