"""The equivalents of streams.lua for other libraries: memory, streams, events, graphs and asynchronous copies.

A peer's `streams` is one of the classes below. They create the inputs of rows other than arrays; functions() returns
the rows that the peer has, and the ratios are computed from spin and get_beside.
"""
import kernel_peers

OPERATIONS, REPEATS, STEP = 100, 1000, 0.01
SPIN_BLOCKS, SPIN_CYCLES = 8, 2e6


def makers(length):
    """Inputs by name, as functions of a peer."""
    n, small = length(2 ** 26), length(1e4)
    return {
        "c4": lambda p: p.spread(small),
        "d4": lambda p: p.spread(small),
        "big": lambda p: p.spread(n),
        "paged": lambda p: p.host(n),
        "pinned": lambda p: p.streams.pinned(n),
        "stream": lambda p: p.streams.stream(),
        "other": lambda p: p.streams.stream(),
        "current": lambda p: p.streams.current(),
        "mark": lambda p: p.streams.mark(),
        "recorded": lambda p: p.streams.graph(p.spread(small), p.spread(small)),
        "swinging": lambda p: p.streams.swing(p.spread(small), p.spread(small)),
        "far": lambda p: p.spread(n),
        "axpy": lambda p: p.streams.axpy(p.spread(n), p.spread(n)),
    }


def workloads(length):
    """name, bytes, inputs"""
    nbytes = 4 * length(2 ** 26)
    return [
        ("memory_empty16", 0, ""),
        ("memory_empty_1MiB", 0, ""),
        ("memory_empty_256MiB", 0, ""),
        ("stream_add16", 0, "a16 b16 current"),
        ("stream_with", 0, "stream"),
        ("event_record", 0, "mark stream"),
        ("event_wait", 0, "mark stream other"),
        ("event_query", 0, "mark"),
        ("graph_100_eager", 0, "c4 d4"),
        ("graph_100_replay", 0, "recorded"),
        ("graph_100_launch", 0, "c4 d4 recorded"),
        ("graph_100_call", 0, "c4 d4 recorded"),
        ("graph_100_feed", 0, "swinging"),
        ("graph_256MiB_call", 0, "big far axpy"),
        ("profiler_benchmark_1000", 0, ""),
        ("async_get_256MiB", nbytes, "big pinned stream"),
        ("async_set_256MiB", nbytes, "big pinned stream"),
        ("blocking_get_256MiB", nbytes, "big"),
        ("blocking_set_256MiB", nbytes, "big paged"),
    ]


def ratios(length):
    """name, inputs, function of a peer, seconds(fn) and the inputs"""
    short = length(SPIN_CYCLES)

    def spinning(peer, cycles):
        return lambda stream: peer.streams.spin(stream, cycles)

    def copy_kernel(peer, seconds, x, host, stream, other):
        def copy(queue):
            peer.streams.get_beside(x, host, queue)
        cycles = int(short * seconds(alone(stream, copy)) / seconds(alone(stream, spinning(peer, short)))) + 1
        return ratio_of(seconds, stream, spinning(peer, cycles), other, copy)

    def two_kernels(peer, seconds, stream, other):
        return ratio_of(seconds, stream, spinning(peer, short), other, spinning(peer, short))

    return [
        ("overlap_ratio_copy_kernel", "big pinned stream other", copy_kernel),
        ("overlap_ratio_two_kernels", "stream other", two_kernels),
    ]


def alone(stream, work):
    def run():
        work(stream)
        stream.synchronize()
    return run


def ratio_of(seconds, stream, one, other, another):
    """What two pieces of work take together, each on a stream of its own, by what they take one after the other."""
    def both():
        one(stream)
        another(other)
        stream.synchronize()
        other.synchronize()
    return seconds(both) / (seconds(alone(stream, one)) + seconds(alone(other, another)))


def nothing():
    pass


def add(a, b, *_):
    return a + b


def chain(a, b):
    c = a
    for _ in range(OPERATIONS):
        c = c + b
    return c


def swing(x, v):
    for _ in range(OPERATIONS // 4):
        v = v - x * STEP
        x = x + v * STEP
    return x, v


def event_wait(mark, stream, other):
    mark.record(stream)
    other.wait_event(mark)


def device_functions():
    """Rows that CuPy and PyTorch write alike."""
    return {
        "stream_add16": add,
        "event_record": lambda mark, stream: mark.record(stream),
        "event_wait": event_wait,
        "graph_100_replay": lambda graph: graph.replay(),
        "graph_100_launch": lambda a, b, graph: graph.launch(a, b),
        "graph_100_call": lambda a, b, graph: graph.call(a, b),
        "graph_100_feed": lambda state: state.feed(),
        "graph_256MiB_call": lambda x, y, graph: graph.call(x, y),
    }


class NumpyStreams:
    """NumPy has no streams; a copy between the host and a device is one in memory there."""

    def __init__(self, xp, length):
        self.xp, self.length = xp, length

    def pinned(self, size):
        return self.xp.zeros(size, "float32")

    def stream(self):
        return None

    def functions(self):
        xp, mebi, large = self.xp, self.length(2 ** 18), self.length(2 ** 26)
        return {
            "memory_empty16": lambda: xp.empty(16, "float32"),
            "memory_empty_1MiB": lambda: xp.empty(mebi, "float32"),
            "memory_empty_256MiB": lambda: xp.empty(large, "float32"),
            "graph_100_eager": chain,
            "async_get_256MiB": lambda x, host, stream: xp.copyto(host, x),
            "async_set_256MiB": lambda x, host, stream: xp.copyto(x, host),
            "blocking_get_256MiB": lambda x: x.copy(),
            "blocking_set_256MiB": lambda x, host: xp.copyto(x, host),
        }


class CupyStreams(NumpyStreams):
    def __init__(self, xp, length):
        super().__init__(xp, length)
        self.kernel = xp.RawKernel(kernel_peers.source("spin.cu"), "spin")

    def pinned(self, size):
        import cupyx
        return cupyx.zeros_pinned(size, "float32")

    def stream(self):
        return self.xp.cuda.Stream(non_blocking=True)

    def current(self):
        return CupyCurrent(self.xp, self.stream())

    def mark(self):
        mark = self.xp.cuda.Event(disable_timing=True)
        mark.record()
        return mark

    def graph(self, a, b):
        return CupyGraph(self.xp, self.stream(), a, b)

    def axpy(self, x, y):
        return CupyAxpy(self.xp, self.stream(), x, y)

    def swing(self, x, v):
        return CupySwing(self.xp, self.stream(), x, v)

    def spin(self, stream, cycles):
        with stream:
            self.kernel((SPIN_BLOCKS,), (1,), (self.xp.int64(cycles),))

    def get_beside(self, x, host, stream):
        x.get(stream=stream, out=host, blocking=False)

    def functions(self):
        from cupyx.profiler import benchmark

        def with_stream(stream):
            with stream:
                pass

        def async_get(x, host, stream):
            self.get_beside(x, host, stream)
            stream.synchronize()

        def async_set(x, host, stream):
            x.set(host, stream)
            stream.synchronize()

        return dict(super().functions(), **device_functions(), **{
            "stream_with": with_stream,
            "event_query": lambda mark: mark.done,
            "profiler_benchmark_1000": lambda: benchmark(nothing, n_repeat=REPEATS, n_warmup=0),
            "async_get_256MiB": async_get,
            "async_set_256MiB": async_set,
            "blocking_get_256MiB": lambda x: x.get(),
            "blocking_set_256MiB": lambda x, host: x.set(host),
        })


class CupyCurrent:
    """A stream that is current as long as this lives."""

    def __init__(self, xp, stream):
        self.xp = xp
        stream.use()

    def __del__(self):
        self.xp.cuda.Stream.null.use()


class CupyGraph:
    """The chain in one array, recorded by a stream."""

    def __init__(self, xp, stream, a, b):
        self.xp, self.a, self.b, self.out = xp, a, b, xp.empty_like(a)
        self.work()  # compiles
        xp.cuda.Device().synchronize()
        with stream:
            stream.begin_capture()
            self.work()
            self.graph = stream.end_capture()

    def work(self):
        self.xp.add(self.a, self.b, self.out)
        for _ in range(1, OPERATIONS):
            self.xp.add(self.out, self.b, self.out)

    def replay(self):
        self.graph.launch()

    def launch(self, a, b):
        self.xp.copyto(self.a, a)
        self.xp.copyto(self.b, b)
        self.graph.launch()

    def call(self, a, b):
        self.launch(a, b)
        return self.out.copy()


class CupyAxpy(CupyGraph):
    def work(self):
        self.xp.multiply(self.a, 2, self.out)
        self.xp.add(self.out, self.b, self.out)


class CupySwing(CupyGraph):
    """The place a and the speed b of a spring, in place; a call copies both in and out."""

    def work(self):
        for _ in range(OPERATIONS // 4):
            self.xp.multiply(self.a, STEP, self.out)
            self.xp.subtract(self.b, self.out, self.b)
            self.xp.multiply(self.b, STEP, self.out)
            self.xp.add(self.a, self.out, self.a)

    def feed(self):
        if not hasattr(self, "state"):
            self.state = self.a.copy(), self.b.copy()
        self.launch(*self.state)
        self.state = self.a.copy(), self.b.copy()


class TorchStreams:
    def __init__(self, torch, length):
        self.torch, self.length = torch, length

    def pinned(self, size):
        return self.torch.zeros(size, pin_memory=True)

    def stream(self):
        return self.torch.cuda.Stream()

    def current(self):
        return TorchCurrent(self.torch, self.stream())

    def mark(self):
        mark = self.torch.cuda.Event()
        mark.record()
        return mark

    def graph(self, a, b):
        return TorchGraph(self.torch, chain, a, b)

    def axpy(self, x, y):
        return TorchGraph(self.torch, lambda x, y: x * 2 + y, x, y)

    def swing(self, x, v):
        return TorchSwing(self.torch, swing, x, v)

    def spin(self, stream, cycles):
        with self.torch.cuda.stream(stream):
            self.torch.cuda._sleep(cycles)

    def get_beside(self, x, host, stream):
        with self.torch.cuda.stream(stream):
            host.copy_(x, non_blocking=True)

    def functions(self):
        torch, mebi, large = self.torch, self.length(2 ** 18), self.length(2 ** 26)

        def with_stream(stream):
            with torch.cuda.stream(stream):
                pass

        def async_get(x, host, stream):
            self.get_beside(x, host, stream)
            stream.synchronize()

        def async_set(x, host, stream):
            with torch.cuda.stream(stream):
                x.copy_(host, non_blocking=True)
            stream.synchronize()

        return dict(device_functions(), **{
            "memory_empty16": lambda: torch.empty(16, device="cuda"),
            "memory_empty_1MiB": lambda: torch.empty(mebi, device="cuda"),
            "memory_empty_256MiB": lambda: torch.empty(large, device="cuda"),
            "stream_with": with_stream,
            "event_query": lambda mark: mark.query(),
            "graph_100_eager": chain,
            "async_get_256MiB": async_get,
            "async_set_256MiB": async_set,
            "blocking_get_256MiB": lambda x: x.cpu(),
            "blocking_set_256MiB": lambda x, host: x.copy_(host),
        })


class TorchCurrent:
    """A stream that is current as long as this lives."""

    def __init__(self, torch, stream):
        self.torch = torch
        torch.cuda.set_stream(stream)

    def __del__(self):
        self.torch.cuda.set_stream(self.torch.cuda.default_stream())


class TorchGraph:
    """work(a, b), recorded with memory of the graph's own."""

    def __init__(self, torch, work, a, b):
        self.a, self.b, self.graph = a, b, torch.cuda.CUDAGraph()
        work(a, b)
        torch.cuda.synchronize()
        with torch.cuda.graph(self.graph):
            self.out = work(a, b)

    def replay(self):
        self.graph.replay()

    def launch(self, a, b):
        self.a.copy_(a)
        self.b.copy_(b)
        self.graph.replay()

    def call(self, a, b):
        self.launch(a, b)
        return self.out.clone()


class TorchSwing(TorchGraph):
    """A spring; a call copies its place and speed in and out."""

    def feed(self):
        if not hasattr(self, "state"):
            self.state = self.a.clone(), self.b.clone()
        self.launch(*self.state)
        self.state = self.out[0].clone(), self.out[1].clone()
