package parse_test

// publicMessages are logs from public threads that state messages and no
// record. A log without a record is empty, whatever else it says.
var publicMessages = []publicLog{
	{log: "xla-spill-warnings", want: `
ptxas warning: Registers are spilled to local memory in function 'gemm_fusion_dot_12', 284 bytes spill stores, 288 bytes spill loads @gemm_fusion_dot_12
ptxas warning: Registers are spilled to local memory in function 'gemm_fusion_dot_12', 540 bytes spill stores, 544 bytes spill loads @gemm_fusion_dot_12
fault empty line 0
`},
	// The name is whole and the last word is not.
	{log: "tensorflow-cut", want: `
ptxas warning: Registers are spilled to local memory in function 'fusion_31', 12 bytes spill stores, 20 bytes spill lo @fusion_31
fault empty line 0
fault truncated line 1
`},
	{log: "julia-unknown-arch", want: `
ptxas fatal: Value 'sm_70' is not defined for option 'gpu-name'
fault empty line 0
fault build-failed line 1
fault build-failed line 3
`},
	{log: "triton-codegen-error", want: `
ptxas fatal: (C7600) Register allocation failed with register count of '255'. Compile the program with a higher register target
ptxas fatal: Ptx assembly aborted due to errors
fault empty line 0
fault build-failed line 1
fault build-failed line 3
fault build-failed line 4
`},
	// The quote opens a name that is not there.
	{log: "triton-cut-name", want: `
ptxas info: (C7516) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ill formed pipeline stage in the function '
ptxas fatal: (C7600) Register allocation failed with register count of '240'. Compile the program with a higher register target
ptxas fatal: Ptx assembly aborted due to errors
fault empty line 0
fault build-failed line 1
fault build-failed line 3
fault build-failed line 4
`},
	{log: "triton-blackwell-traceback", want: `
ptxas-blackwell fatal: Value 'sm_110a' is not defined for option 'gpu-name'
fault empty line 0
fault build-failed line 7
`},
	{log: "libomptarget-regcount", want: `
nvlink error: entry function '__omptgt__0_12c01e8_804_' with max regcount of 24 calls function '__kmpc_for_static_init_4' with regcount of 36 @__omptgt__0_12c01e8_804_
nvlink error: entry function '__omptgt__2_12c01e8_804_' with max regcount of 24 calls function '__kmpc_for_static_init_4' with regcount of 36 @__omptgt__2_12c01e8_804_
fault empty line 0
fault build-failed line 1
fault build-failed line 3
`},
	// Two warnings; the project's path behind each is MSBuild's, not ptxas'.
	{log: "msbuild-wrapped-suffix", want: `
ptxas warning: Value of threads per SM for entry _Z7kEncodePfS_Phi is out of range. .minnctapersm will be ignored @_Z7kEncodePfS_Phi
ptxas warning: Value of threads per SM for entry _Z7kEncodePfS_Phi is out of range. .minnctapersm will be ignored @_Z7kEncodePfS_Phi
fault empty line 0
`},
	{log: "msbuild-rem", want: `
ptxas warning: Value of threads per SM for entry _Z7kEncodePfS_Phi is out of range. .minnctapersm will be ignored @_Z7kEncodePfS_Phi
fault empty line 0
`},
	{log: "msbuild-error-in-comment", want: `
ptxas error: File uses too much global constant data (0x1a040 bytes, 0x10000 max)
fault empty line 0
fault build-failed line 1
`},
	{log: "line-level-errors-indented", want: `
ptxas error: Feature 'f16 arithemetic and compare instructions' requires .target sm_53 or higher at /tmp/tmpxft_00000a17_00000000-13_linear_kernel.compute_52.ptx:14801
ptxas error: Modifier '.m8n8' requires .target sm_75 or higher at /tmp/tmpxft_00000a17_00000000-13_linear_kernel.compute_52.ptx:14810
ptxas fatal: Ptx assembly aborted due to errors
fault empty line 0
fault build-failed line 1
fault build-failed line 2
fault build-failed line 3
`},
	{log: "mojo-line-level", want: `
ptxas error: Arguments mismatch for instruction 'add' at application ptx input:31
ptxas error: Arguments mismatch for instruction 'add' at application ptx input:36
ptxas fatal: Ptx assembly aborted due to errors
fault empty line 0
fault build-failed line 1
fault build-failed line 2
fault build-failed line 3
`},
	{log: "make-error-255", want: `
ptxas fatal: Ptx assembly aborted due to errors
fault empty line 0
fault build-failed line 1
fault build-failed line 3
`},
	{log: "megahit-abi", want: `
ptxas error: Invalid value 'no' for option -abi.
ptxas fatal: Ptx assembly aborted due to errors
fault empty line 0
fault build-failed line 1
fault build-failed line 2
fault build-failed line 4
`},
	// The message is behind two others, and its name is not quoted.
	{log: "cute-dsl-c7602", want: `
ptxas fatal: (C7602) Insufficient registers (120) to compile instruction at line 1604 in function kernel_main__Gemm_object_at_0. Try to compile with register target of 160 or higher. @kernel_main__Gemm_object_at_0
fault empty line 0
fault build-failed line 1
`},
	{log: "nccl-maxrregcount", want: `
ptxas warning: Too big maxrregcount value specified 112, will be ignored
fault empty line 0
`},
	{log: "wgmma-extern-calls-indented", want: `
ptxas info: (C7509) Potential Performance Loss: wgmma.mma_async instructions are serialized due to the presence of Extern calls in the function '_ZN4attn8mainloopILi2ELb0EE3mmaINS_3BwdEEEvRKT_ENKUlvE_clEv' @_ZN4attn8mainloopILi2ELb0EE3mmaINS_3BwdEEEvRKT_ENKUlvE_clEv
fault empty line 0
`},
	// The two halves of the name are one word again.
	{log: "gmma-hard-wrapped-name", want: `
ptxas info: (C7519) warpgroup.arrive is injected in around line 748001 by compiler to allow use of registers in GMMA in function '_ZN4attn8mainloopILi2EN4cute5tupleIJNS1_1CILi1EEES4_S4_EEENS2_IJNS3_ILi128EEENS3_ILi96EEENS3_ILi64EEEEEELi256EfNS1_5LayoutINS2_IJNS2_IJNS3_ILi2EEES9_NS3_ILi32EEEEEES4_S4_EEEEE3mmaEv' @_ZN4attn8mainloopILi2EN4cute5tupleIJNS1_1CILi1EEES4_S4_EEENS2_IJNS3_ILi128EEENS3_ILi96EEENS3_ILi64EEEEEELi256EfNS1_5LayoutINS2_IJNS2_IJNS3_ILi2EEES9_NS3_ILi32EEEEEES4_S4_EEEEE3mmaEv
ptxas info: (C7517) warpgroup.wait is injected in around line 749002 by compiler to allow use of registers defined by GMMA in function '_ZN4attn4tailEv' @_ZN4attn4tailEv
fault empty line 0
`},
}
