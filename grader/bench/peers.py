"""What a PyTorch user would call instead, timed beside our solutions in one run.

    python3 grader/bench/peers.py [-r ROUNDS] [-o table.csv] [lesson ...] [library.so ...]

Each library is a solution, or the top of its ladder, built as the grader builds it (make
bench-peers gives them all). For each lesson there is one function: it makes the inputs and lists
the subjects, PyTorch's and ours, under the names that the other timing programs use. All of FP32 in
FP32: TF32 is off.

The rules are those of bench.h: before each sample, several times the L2 are read; times are CUDA
events; the subjects take turns; the median of the rounds counts. Python can need longer for a call
than the device for reading the L2, and would then be what is timed: so it is read some times over.
Ours and a peer are compared round by round, so that a clock that changes changes both: what is
shown is the median of those ratios and between which two of them the middle half lies.
"""

import argparse
import ctypes
import os
import statistics
import sys

import torch
import torch._functorch.config
import torch.nn.functional as F


class Subject:
    """One line of the table: a call, timed; its rate is work, in bytes or in FLOP, over time."""

    def __init__(self, name, problem, call, work, unit, ours=False, should_be=None):
        self.name, self.problem, self.call = name, problem, call
        self.work, self.unit, self.ours, self.should_be = work, unit, ours, should_be
        self.samples_us = []

    @property
    def time_us(self):
        return statistics.median(self.samples_us)

    def times_as_slow_as(self, other):
        """The quartiles of the ratios of the rounds: low, median, high."""
        return statistics.quantiles((a / b for a, b in zip(self.samples_us, other.samples_us)), n=4)


class Launchers:
    """The launchers that the libraries define, by name."""

    def __init__(self, paths):
        # A library leaves the CUDA runtime and cuBLASLt open: PyTorch's, which are loaded already,
        # close it.
        loaded = [line.split()[-1] for line in open("/proc/self/maps") if ".so" in line]
        for name in ("libcudart.so", "libcublasLt.so") if paths else ():
            if theirs := next((path for path in loaded if name in path), None):
                ctypes.CDLL(theirs, ctypes.RTLD_GLOBAL)
        try:
            self.libraries = [ctypes.CDLL(os.path.abspath(path)) for path in paths]
        except OSError as error:
            sys.exit(f"peers: {error}")

    def symbol(self, name):
        """The first library's that has one, or None."""
        return next((getattr(l, name) for l in self.libraries if hasattr(l, name)), None)

    def __getitem__(self, name):
        """A function that launches, or None."""
        symbol = self.symbol(name)
        return symbol and (lambda *arguments: launch(symbol, name, arguments))


def launch(symbol, name, arguments):
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    error = symbol(*[argument_of(a) for a in arguments], stream)
    if error:
        sys.exit(f"peers: {name} returns CUDA error {error}")


def argument_of(value):
    if isinstance(value, torch.Tensor):
        return ctypes.c_void_p(value.data_ptr())
    if isinstance(value, float):
        return ctypes.c_float(value)
    return value


def random(*shape):
    return torch.rand(*shape, device="cuda") * 2 - 1


# --- One function a lesson ------------------------------------------------------------------------


def lesson1(launchers):
    n = 1 << 26
    x, y, out = random(n), random(n), torch.empty(n, device="cuda")
    problem, work = "2^26", 12 * n
    yield Subject("y.add_(x, alpha)", problem, lambda: y.add_(x, alpha=1e-6), work, "B")
    if axpby := launchers["lesson1_axpby"]:
        yield Subject("lesson1_axpby", problem,
                      lambda: axpby(x, y, out, ctypes.c_int64(n), 2.0, 3.0), work, "B", True,
                      "not slower than add_")


def lesson2(launchers):
    n = 8192
    a, out = random(n, n), torch.empty(n, n, device="cuda")
    problem, work = "8192 x 8192", 8 * n * n
    yield Subject("o.copy_(a.t())", problem, lambda: out.copy_(a.t()), work, "B")
    if transpose := launchers["lesson2_transpose"]:
        yield Subject("lesson2_transpose", problem, lambda: transpose(a, out, n, n), work, "B",
                      True, "at least 3 x copy_")
    m = 4096
    A, B, C = random(m, m), random(m, m), torch.empty(m, m, device="cuda")
    yield Subject("torch.mm", "4096 x 4096 x 4096", lambda: torch.mm(A, B, out=C), 2 * m**3,
                  "FLOP")


def lesson3(launchers):
    compiled = torch.compile(lambda a: a.square().sum(1), dynamic=False)
    for rows in 4096, 16384:
        a, out = random(rows, 4096), torch.empty(rows, device="cuda")
        problem, work = f"{rows} x 4096", 4 * rows * 4096
        yield Subject("a.square().sum(1)", problem, lambda a=a: a.square().sum(1), work, "B")
        yield Subject("a.square().sum(1), compiled", problem, lambda a=a: compiled(a), work, "B")
        if read := launchers["bench_read"]:
            yield Subject("only reading", problem,
                          lambda a=a, out=out: read(a, out, ctypes.c_int64(a.numel())), work, "B")
        if sumsq := launchers["lesson3_row_sumsq"]:
            yield Subject("lesson3_row_sumsq", problem,
                          lambda a=a, out=out, rows=rows: sumsq(a, out, rows, 4096), work, "B",
                          True, "at least 1.1 x the best of both")


class QuestGemm(ctypes.Structure):
    """struct quest_gemm of common/quest.h."""

    _fields_ = [(name, ctypes.c_int64) for name in "mnk"] + [
        (name, ctypes.c_bool) for name in ("transpose_a", "transpose_b", "with_bias", "save_z")
    ] + [("activation", ctypes.c_int), ("leaky_slope", ctypes.c_float)]


def lesson4(launchers):
    m = n = 4096
    gelu_tanh = 6  # QUEST_ACT_GELU_TANH
    for k in 256, 1024:
        x, weight, bias = random(m, k), random(n, k), random(n)
        b, out = weight.t().contiguous(), torch.empty(m, n, device="cuda")
        problem, work = f"{m} x {n} x {k}", 2 * m * n * k
        inputs = {"x": x, "weight": weight, "bias": bias}
        yield Subject("F.linear", problem, lambda i=inputs: F.linear(*i.values()), work, "FLOP")
        yield Subject("F.gelu(F.linear)", problem,
                      lambda i=inputs: F.gelu(F.linear(*i.values()), approximate="tanh"), work,
                      "FLOP")
        yield Subject("_addmm_activation", problem,
                      lambda i=inputs: torch._addmm_activation(i["bias"], i["x"], i["weight"].t(),
                                                               use_gelu=True), work, "FLOP")
        if fused := launchers["lesson4_gemm_bias_act"]:
            gemm = QuestGemm(m, n, k, False, False, True, False, gelu_tanh, 0)
            yield Subject("lesson4_gemm_bias_gelu", problem,
                          lambda x=x, b=b, bias=bias, out=out, gemm=gemm: fused(
                              x, b, bias, out, None, ctypes.byref(gemm)), work, "FLOP", True,
                          "not slower than F.linear, which has no GELU")


class QuestRngKey(ctypes.Structure):
    """struct quest_rng_key of common/quest.h."""

    _fields_ = [("seed", ctypes.c_uint32), ("layer", ctypes.c_uint32)]


def lesson5(launchers):
    n = 1 << 26
    x, out = random(n), torch.empty(n, device="cuda")
    step = torch.ones(1, dtype=torch.int64, device="cuda")
    problem, work = "2^26, p = 0.1", 8 * n
    yield Subject("F.dropout", problem, lambda: F.dropout(x, 0.1), work, "B")
    if dropout := launchers["lesson5_dropout_fwd"]:
        yield Subject("lesson5_dropout_fwd", problem,
                      lambda: dropout(x, out, ctypes.c_int64(n), 0.1, QuestRngKey(2026, 3), step),
                      work, "B", True, "at least 1.35 x F.dropout")


class Lesson6:
    """A context of lesson 6 with so much workspace, which is created once."""

    def __init__(self, launchers, mebibytes):
        self.gemm = launchers["lesson6_gemm"]
        self.context = ctypes.c_void_p()
        self.mebibytes = mebibytes
        self.workspace = torch.empty(mebibytes << 20, dtype=torch.uint8, device="cuda")
        create = launchers.symbol("lesson6_create")
        if create and create(ctypes.byref(self.context),
                             argument_of(self.workspace) if mebibytes else None,
                             ctypes.c_size_t(self.workspace.numel())):
            sys.exit("peers: lesson6_create fails")

    def linear_gelu(self, x, weight, bias, out):
        """A call with these arguments, which are put together here and now."""
        (m, k), n = x.shape, weight.shape[0]
        types, gelu_tanh = {torch.float16: 0, torch.bfloat16: 1}, 6
        gemm = QuestGemm(m, n, k, False, True, True, False, gelu_tanh, 0)
        arguments = (self.context, types[x.dtype], *map(argument_of, (x, weight, bias, out)),
                     ctypes.byref(gemm))
        return lambda: self.gemm(*arguments)


# Rows that are no multiples of 16 bytes: what can be done about them goes by the workspace.
AWKWARD = ((4099,) * 3, (4096, 4096, 4095), (1024, 50257, 768), (512, 768, 50257))


def lesson6(launchers):
    contexts = {mebibytes: Lesson6(launchers, mebibytes) for mebibytes in (0, 32, 64, 256)}
    plain = [(shape, 256) for shape in ((4096,) * 3, (8192, 4096, 4096), (1, 4096, 4096),
                                        (8, 4096, 4096), (64, 4096, 4096))]
    for (m, n, k), mebibytes in plain + [(shape, room) for shape in AWKWARD for room in contexts]:
        room = f", {mebibytes} MiB" if (m, n, k) in AWKWARD else ""
        should_be = ("not slower than the last two" if not room else
                     "at least 0.95 of F.gelu(F.linear)" if mebibytes < 256 else
                     "at least 2 x F.gelu(F.linear)")
        for dtype, name in (torch.float16, "f16"), (torch.bfloat16, "bf16"):
            i = {"x": random(m, k).to(dtype), "weight": random(n, k).to(dtype),
                 "bias": random(n).to(dtype)}
            out = torch.empty(m, n, dtype=dtype, device="cuda")
            problem, work = f"{m} x {n} x {k}, {name}{room}", 2 * m * n * k
            yield Subject("F.linear", problem, lambda i=i: F.linear(*i.values()), work, "FLOP")
            yield Subject("F.gelu(F.linear)", problem,
                          lambda i=i: F.gelu(F.linear(*i.values()), approximate="tanh"), work,
                          "FLOP")
            yield Subject("_addmm_activation", problem,
                          lambda i=i: torch._addmm_activation(i["bias"], i["x"], i["weight"].t(),
                                                              use_gelu=True), work, "FLOP")
            if contexts[mebibytes].gemm:
                yield Subject("lesson6_gemm_bias_gelu", problem,
                              contexts[mebibytes].linear_gelu(**i, out=out), work, "FLOP", True,
                              should_be)


def lesson8(launchers):
    m, n, k, gelu_erf = 4096, 1024, 1024, 5
    problem, work = f"{m} x {n} x {k}", 4 * m * n * k
    # A compiled graph may be walked once only, unless it gives no buffer of its own away.
    torch._functorch.config.donated_buffer = False
    x, weight, bias = random(m, k), random(n, k), random(n)
    inputs = [t.requires_grad_() for t in (x, weight, bias)]
    g = random(m, n)

    def activate(x, weight, bias):
        return F.gelu(F.linear(x, weight, bias))

    for name, call in ("autograd", activate), ("autograd, compiled", torch.compile(activate)):
        y = call(*inputs)
        yield Subject(name, problem,
                      lambda y=y: torch.autograd.grad(y, inputs, g, retain_graph=True), work,
                      "FLOP")
    A, B = x.detach(), weight.detach()
    yield Subject("its two products", problem, lambda: (g @ B, g.t() @ A), work, "FLOP")
    if backward := launchers["lesson8_gemm_bias_act_backward"]:
        gemm = QuestGemm(m, n, k, False, False, True, True, gelu_erf, 0)
        size = launchers.symbol("lesson8_workspace")
        size.restype = ctypes.c_size_t
        room = size(ctypes.byref(gemm))
        workspace = torch.empty(room, dtype=torch.uint8, device="cuda")
        B, Z = B.t().contiguous(), F.linear(A, weight.detach(), bias.detach())
        out = torch.empty_like(A), torch.empty_like(B), torch.empty(n, device="cuda")
        yield Subject("lesson8_gemm_bias_act_backward", problem,
                      lambda: backward(A, B, g, Z, *out, ctypes.byref(gemm), workspace,
                                       ctypes.c_size_t(room)), work, "FLOP", True,
                      "at least 1.05 x autograd, compiled")


class QuestAdamwTensor(ctypes.Structure):
    """struct quest_adamw_tensor of common/contracts/09_adamw.h."""

    _fields_ = [("p", ctypes.c_void_p), ("g", ctypes.c_void_p), ("m", ctypes.c_void_p),
                ("v", ctypes.c_void_p), ("n", ctypes.c_int64), ("half_gradient", ctypes.c_bool)]


class QuestAdamw(ctypes.Structure):
    """struct quest_adamw of the same."""

    _fields_ = [(name, ctypes.c_float) for name in ("lr", "beta1", "beta2", "eps", "weight_decay",
                                                    "decay_rate")] + [
        ("decay_steps", ctypes.c_int64)]


def gpt2_small():
    """The sizes of its 148 tensors."""
    w = 768
    layer = [w, w, 3 * w * w, 3 * w, w * w, w, w, w, 4 * w * w, 4 * w, 4 * w * w, w]
    return [50257 * w, 1024 * w] + 12 * layer + [w, w]


def lesson9(launchers):
    problem, work = "GPT-2, 148 tensors", 28 * sum(gpt2_small())
    for way in "fused", "foreach":
        params = [torch.nn.Parameter(random(n)) for n in gpt2_small()]
        for param in params:
            param.grad = random(param.numel())
        optimizer = torch.optim.AdamW(params, lr=0.001, weight_decay=0.01, **{way: True})
        yield Subject(f"AdamW({way})", problem, optimizer.step, work, "B")
    if adamw := launchers["lesson9_adamw"]:
        state = [(random(n), random(n), random(n), random(n).abs()) for n in gpt2_small()]
        tensors = (QuestAdamwTensor * len(state))(*[
            QuestAdamwTensor(*[t.data_ptr() for t in of], of[0].numel(), False) for of in state])
        hyper = QuestAdamw(0.001, 0.9, 0.999, 1e-8, 0.01, 0.96, 1000)
        step = torch.ones(1, dtype=torch.int64, device="cuda")
        workspace = torch.empty(65536, dtype=torch.uint8, device="cuda")
        yield Subject("lesson9_adamw", problem,
                      lambda: adamw(tensors, len(state), ctypes.byref(hyper), step, workspace),
                      work, "B", True, "at least 1.35 x AdamW(fused)")


class QuestTraining(ctypes.Structure):
    """struct quest_training of common/contracts/10_graphs.h."""

    _fields_ = [(name, ctypes.c_int) for name in ("batch", "in", "hidden", "out")] + [
        (name, ctypes.c_void_p) for name in ("p", "m", "v", "step")] + [
        ("drop", ctypes.c_float), ("key", QuestRngKey)] + [
        (name, ctypes.c_float) for name in ("lr", "beta1", "beta2", "eps", "weight_decay")]


SMALL_STEP = {"batch": 64, "in": 64, "hidden": 128, "out": 64}


def captured_step(h_batch):
    """A training step of PyTorch's: the copy of a pinned batch, and a captured graph."""
    batch, columns, hidden, out = SMALL_STEP.values()
    network = torch.nn.Sequential(torch.nn.Linear(columns, hidden), torch.nn.ReLU(),
                                  torch.nn.Dropout(0.1), torch.nn.Linear(hidden, out)).cuda()
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.001, fused=True, capturable=True)
    on_device = torch.empty_like(h_batch, device="cuda")
    x, y = (part.view(batch, -1) for part in on_device.split((batch * columns, batch * out)))

    def step():
        on_device.copy_(h_batch, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        F.mse_loss(network(x), y).backward()
        optimizer.step()

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return step, graph.replay


def lesson10(launchers):
    batch, columns, hidden, out = SMALL_STEP.values()
    parameters = (columns + 1) * hidden + (hidden + 1) * out
    problem = f"{batch} x {columns}-{hidden}-{out}"
    work = 6 * batch * hidden * (columns + out) - 2 * batch * columns * hidden
    h_batch = torch.rand(batch * (columns + out)).pin_memory()
    eager, replay = captured_step(h_batch)
    yield Subject("a step, eager", problem, eager, work, "FLOP")
    yield Subject("a step, captured graph", problem, replay, work, "FLOP")
    if run := launchers["lesson10_run"]:
        state = random(parameters), random(parameters), random(parameters).abs()
        done = torch.zeros(1, dtype=torch.int64, device="cuda")
        training = QuestTraining(*SMALL_STEP.values(), *[t.data_ptr() for t in (*state, done)],
                                 0.1, QuestRngKey(2026, 3), 0.001, 0.9, 0.999, 1e-8, 0.01)
        made = ctypes.c_void_p()
        if launchers.symbol("lesson10_create")(ctypes.byref(made), ctypes.byref(training)):
            sys.exit("peers: lesson10_create fails")
        yield Subject("lesson10_run", problem,
                      lambda kept=(state, done, h_batch): run(made, kept[2]), work, "FLOP", True,
                      "at least 2.5 x a captured graph")


LESSONS = {"1": lesson1, "2": lesson2, "3": lesson3, "4": lesson4, "5": lesson5, "6": lesson6,
           "8": lesson8, "9": lesson9, "10": lesson10}


# --- Timing ---------------------------------------------------------------------------------------


class Stopwatch:
    """Times a call on a cold L2, and on a device that is still busy while the host prepares it."""

    FLUSHES = 3  # odd, so that both states of the L2 (below) come up

    def __init__(self):
        caches = 4 * torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = random(max(caches, 64 << 20) // 4)
        self.start, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def time_us(self, call):
        """A sample is two runs: what is left in the L2 takes turns between two states (seen on an
        H200), so that single runs of a small problem have two medians, up to 6 % apart."""
        return (self.run_us(call) + self.run_us(call)) / 2

    def run_us(self, call):
        for _ in range(self.FLUSHES):
            self.flush.sum()
        self.start.record()
        call()
        self.end.record()
        self.end.synchronize()
        return self.start.elapsed_time(self.end) * 1e3


def ready(subject):
    """Whether a warmed-up subject works; what does not is named and left out."""
    try:
        for _ in range(3):
            subject.call()
        torch.cuda.synchronize()
        return True
    except Exception as error:  # a compiler that is not there, a function of another version
        why = next(iter(str(error).strip().splitlines()), type(error).__name__)
        print(f"{subject.name}: not timed: {why}", flush=True)
        return False


def time_all(subjects, rounds):
    watch = Stopwatch()
    for turn in range(rounds):
        for i in range(len(subjects)):
            subject = subjects[(i + turn) % len(subjects)]
            subject.samples_us.append(watch.time_us(subject.call))


# --- Table ----------------------------------------------------------------------------------------


def rate(subject):
    scale, unit = (1e-6, "TFLOP/s") if subject.unit == "FLOP" else (1e-3, "GB/s")
    return subject.work / subject.time_us * scale, unit


def ours_of(subjects):
    return next((s for s in subjects if s.ours), None)


def print_problem(subjects):
    """The subjects of one problem; the ratio is ours over each of the others, in speed."""
    ours = ours_of(subjects)
    for subject in subjects:
        figure, unit = rate(subject)
        if ours is None:
            against = ""
        elif subject is ours:
            against = f"should be: {ours.should_be}"
        else:
            low, median, high = subject.times_as_slow_as(ours)
            against = f"ours: {median:.3f} x as fast ({low:.3f} to {high:.3f})"
        print(f"{subject.name:<28} {subject.problem:<20} {subject.time_us:10.2f} us "
              f"{figure:9.2f} {unit:<8} {against}")
    print()


def csv_line(subject, ours):
    figure, unit = rate(subject)
    rates = f"{figure:.2f}," if unit == "GB/s" else f",{figure:.2f}"
    low, median, high = (f"{r:.4f}" for r in subject.times_as_slow_as(ours)) if ours else [""] * 3
    return (f'"{subject.name}","{subject.problem}",{subject.time_us:.2f},'
            f"{min(subject.samples_us):.2f},{max(subject.samples_us):.2f},{rates},"
            f"{median},{low},{high}\n")


def write_csv(path, device, problems, rounds):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# On {device} with PyTorch {torch.__version__}: medians of {rounds} samples, "
                   "each of two runs by CUDA events, L2 flushed before each; ratios of each round, "
                   "and their quartiles.\n"
                   "name,problem,time_us,least_us,most_us,gbytes_per_s,tflop_per_s,"
                   "ours_times_as_fast,ratio_low,ratio_high\n")
        for subjects in problems:
            ours = ours_of(subjects)
            file.writelines(csv_line(subject, ours) for subject in subjects)


def main():
    parser = argparse.ArgumentParser(description="Times PyTorch beside our solutions.")
    parser.add_argument("-r", "--rounds", type=int, default=100)
    parser.add_argument("-o", "--csv", help="also write the table there")
    parser.add_argument("what", nargs="*", metavar="lesson or library.so",
                        help="lessons to time (all of them when none is named), and our libraries")
    options = parser.parse_args()
    libraries = [what for what in options.what if what.endswith(".so")]
    lessons = [what for what in options.what if what not in libraries] or list(LESSONS)
    if options.rounds < 2 or not set(lessons) <= set(LESSONS):
        parser.error(f"rounds are at least 2, lessons are among {', '.join(LESSONS)}")
    if not torch.cuda.is_available():
        sys.exit("peers: needs a GPU, and PyTorch finds none")
    torch.set_float32_matmul_precision("highest")
    torch.manual_seed(2026)
    launchers, problems = Launchers(libraries), []
    device = torch.cuda.get_device_name(0)
    print(f"{device}, PyTorch {torch.__version__}, {options.rounds} rounds, medians\n", flush=True)
    for lesson in lessons:
        subjects = [s for s in LESSONS[lesson](launchers) if ready(s)]
        time_all(subjects, options.rounds)
        for problem in dict.fromkeys(s.problem for s in subjects):
            problems.append([s for s in subjects if s.problem == problem])
            print_problem(problems[-1])
    if options.csv:
        write_csv(options.csv, device, problems, options.rounds)


if __name__ == "__main__":
    main()
