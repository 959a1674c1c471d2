"""Asks ptxas for the register cap of launch bounds, one entry a run.

usage: register-cap-ptxas.py PTXAS PTX_VERSION OUT.csv ARCH...
"""
import random, re, subprocess, sys, tempfile, os
from concurrent.futures import ThreadPoolExecutor

ptxas, version, out, archs = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
random.seed(7)

def ask(job):
    arch, threads, blocks = job
    bounds = f".maxntid {threads},1,1" + (f" .minnctapersm {blocks}" if blocks else "")
    ptx = f".version {version}\n.target {arch}\n.address_size 64\n.visible .entry k() {bounds}\n{{\n ret;\n}}\n"
    with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as f:
        f.write(ptx)
    p = subprocess.run([ptxas, "-v", "-maxrregcount", "41", "-arch=" + arch, f.name, "-o", "/dev/null"],
                       capture_output=True, text=True)
    os.unlink(f.name)
    if p.returncode:
        return [arch, threads, blocks, "error", p.stderr.strip().replace("\n", " | ")]
    cap = re.search(r"entry-specific value (\d+) computed", p.stderr)
    dropped = "-"
    if "threads per SM" in p.stderr: dropped = "warps"
    elif "minnctapersm for entry" in p.stderr: dropped = "blocks"
    return [arch, threads, blocks, cap.group(1) if cap else "-", dropped]

jobs = []
for arch in archs:
    todo = {(256, 4), (256, 8), (800, 2), (96, 7), (900, 0), (900, 1), (1024, 0), (1024, 2), (1024, 4), (128, 40), (32, 33), (64, 24), (64, 25), (64, 16), (64, 17)}
    while len(todo) < 160:
        warps = random.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 20, 21, 24, 25, 28, 29, 31, 32])
        threads = warps * 32 - random.choice([0, 0, 0, 1, 31])
        most = max(1, 80 // warps)
        todo.add((threads, random.randint(0, min(40, most))))
    jobs += [(arch, t, b) for t, b in sorted(todo)]
with ThreadPoolExecutor(os.cpu_count()) as pool:
    rows = list(pool.map(ask, jobs))
with open(out, "w") as f:
    f.write("arch,threads,min_blocks,cap,dropped\n")
    for r in rows:
        f.write(",".join(map(str, r)) + "\n")
