"""Times imago on a GPU: arrays of the host beside copies of as many bytes, and calls on its own.

on_gpu.py [PART OF THE DEVICE'S NAME]
"""

import sys
import time

import numpy as np
import pyopencl as cl
import pyopencl.array

import imago
import imago.opencl

ROWS, POINTS = 1 << 17, 1024  # 1 GiB of complex64


def best(function, runs=3):
    """Seconds of the fastest of some runs."""
    seconds = []
    for _ in range(runs):
        begin = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def noise(shape):
    real = np.random.default_rng(1).standard_normal((*shape, 2), dtype=np.float32)
    return real.view(np.complex64)[..., 0]


def host_arrays(queue, rows):
    x = noise((rows, POINTS))
    y = np.zeros_like(x)
    imago.fft.fft(x)
    computed = best(lambda: imago.fft.fft(x), 5)
    imago.fft.fft(x, norm="ortho", overwrite_x=True)
    overwritten = best(lambda: imago.fft.fft(x, norm="ortho", overwrite_x=True), 5)
    flags = cl.mem_flags
    device = cl.Buffer(queue.context, flags.READ_WRITE, x.nbytes)
    memory = cl.Buffer(queue.context, flags.READ_WRITE | flags.ALLOC_HOST_PTR, x.nbytes)
    both = cl.map_flags.READ | cl.map_flags.WRITE
    pinned, _ = cl.enqueue_map_buffer(queue, memory, both, 0, x.shape, x.dtype)

    def copies(source, target):
        cl.enqueue_copy(queue, device, source)
        cl.enqueue_copy(queue, target, device)
        queue.finish()

    by_driver = best(lambda: copies(x, y))
    alone = best(lambda: copies(pinned, pinned))
    print(
        f"imago.fft.fft of {x.nbytes >> 10} KiB on the host: {computed * 1e3:.2f} ms, "
        f"overwritten {overwritten * 1e3:.2f} ms; two copies of it: "
        f"{by_driver * 1e3:.2f} ms, of pinned memory {alone * 1e3:.2f} ms ({alone / computed:.2f} of imago's time)"
    )


def device_arrays(queue):
    for shape in (1, POINTS), (1, 1 << 16), (1 << 10, POINTS), (ROWS, POINTS):
        x = cl.array.to_device(queue, noise(shape))
        y = cl.array.empty_like(x)
        calls = max(20, min(2000, (1 << 30) // x.size))

        def train():
            for _ in range(calls):
                imago.opencl.fft(x, out=y)
            queue.finish()

        train()
        print(f"imago.opencl.fft of {shape}: {best(train) / calls * 1e6:.2f} us a call")


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    devices = [d for p in cl.get_platforms() for d in p.get_devices() if name in d.name]
    imago.set_device(name)
    queue = cl.CommandQueue(cl.Context(devices[:1]))
    print(devices[0].name)
    for rows in (1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 13, 1 << 15, ROWS):
        host_arrays(queue, rows)
    device_arrays(queue)


if __name__ == "__main__":
    main()
