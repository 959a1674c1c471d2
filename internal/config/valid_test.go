package config

// validConfigs are files that are right, and short.
func validConfigs() []string {
	return []string{
		"version: 1\n",
		"# first\n\nversion: 1 # the format\n...\n",
		"\"version\": 1",
		"{version: 1, archs: [sm_80, compute_90, \"9.0\", sm_90a, sm_120f]}",
		"version: 1\narchs: [9.0]\n",
		"version: 1\nkernels: []\nignore: []\nsources: []\n",
		"version: 1\ndefaults: {spills: 0, stack: 1KiB, shared: 0.5 KiB, registers: 255, barriers: 16, message: \"see the wiki\"}\n",
		"version: 1\ndefaults: {spills: {stores: 16}}\n",
		"version: 1\ndefaults: {spills: {loads: 16B}, by_arch: {sm_90: {spills: 4}}}\n",
		"version: 1\ndefaults: {min_occupancy: 50}\n",
		"version: 1\ndefaults: {min_occupancy: 12.5%}\n",
		"version: 1\nkernels: [{match: \"*\", launch_bounds: 256}, {match: \"re:a.*\", launch_bounds: [128]}, {match: k, launch_bounds: [128, 0, 2]}]\n",
		"version: 1\nkernels:\n- match: >-\n    lin::saxpy<float>\n  registers: 3\n",
		"version: 1\nrules: {stack-frame: off, register-cliff: \"off\", min-blocks: warning, unmatched: info, untrusted-log: error}\n",
		"version: 1\nignore:\n- rule: spill-budget\n  reason: cold\n- {rule: min-blocks, archs: [sm_80], match: x, reason: cold, until: 2027-12-31}\n",
		"version: 1\ntolerance: {registers: 2, spills: 16, spill_stores: 4, spill_loads: 4, stack: 8, shared: 1KiB, barriers: 1, blocks: 1, occupancy: 5%}\n",
		"version: 1\ndefines: {TPB: 256, NAME: warp, FAST: true, SCALE: 1.5, EMPTY: \"\", OFF: null}\n",
		"version: 1\nptx: [\"build/*.ptx\", \"**/*.{ptx,ptx.gz}\"]\n",
		"version: 1\ngpu: mine\ncustom_gpus: {mine: {arch: sm_90, sms: 132, bandwidth: 3.35TB/s, clock: 1980MHz, latency: 700}, other: {like: mine, sms: 100}}\n",
		"version: 1\ndefaults: {launch_bounds: 1024, block: 1024}\n",
		"version: 1\ncustom_archs: {sm_130: {like: sm_120, threads_per_block: 2048}}\nkernels: [{match: x, launch_bounds: [2048, 1], block: 2048}]\n",
		"version: 1\ncustom_archs: {sm_130: {like: sm_120, warps_per_sm: 64, blocks_per_sm: 32, registers_per_sm: 65536, shared_per_sm: 256KiB, barriers_per_sm: 0}}\n",
		"version: 1\ndefaults: &small {spills: 0, registers: 64}\nkernels:\n- {match: a, <<: *small, registers: 32}\n- {match: b, <<: [*small, {stack: 3}]}\n",
	}
}
