package rules

// policyFor makes the policy of a documentation example.
func policyFor(list ...Declaration) *Policy { return &Policy{Declarations: list} }

// exampleFree64 is a kernel without bounds, from a real log.
const exampleFree64 = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z7free_64PKfPfi' for 'sm_90'
ptxas info    : Function properties for _Z7free_64PKfPfi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 80 registers, used 0 barriers
`

// exampleSmemBound is a kernel that shared memory limits, from a real log.
const exampleSmemBound = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z10smem_boundPKfPf' for 'sm_90'
ptxas info    : Function properties for _Z10smem_boundPKfPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers, 24576 bytes smem
`

// exampleDynamicIndex is a kernel with an indexed local array, from a real log.
const exampleDynamicIndex = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z13dynamic_indexPKiPf' for 'sm_90'
ptxas info    : Function properties for _Z13dynamic_indexPKiPf
    256 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 256 bytes cumulative stack size
`
