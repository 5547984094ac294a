"""PNG files of all kinds, for spec/picture/png_spec.lua: written by Python's zlib, with each filter in turn.

    python3 -P spec/golden/pictures.py > spec/golden/pictures.lua

The sample of channel c at row i and column j (all from 0) is (37 i + 91 j + 53 c) modulo 2^bits, of palettes modulo
their length; color k of a palette is (3 k, 255 - 5 k, 7 k) modulo 256 with opacity 255 - 20 k. Pillow reads them as the
spec expects.
"""
import struct
import zlib

HEIGHT, WIDTH, PALETTE = 6, 9, 11
PASSES = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def sample(kind, depth, i, j, c):
    return (37 * i + 91 * j + 53 * c) % (min(2 ** depth, PALETTE) if kind == 3 else 2 ** depth)


def row_bytes(samples, depth):
    text = "".join(format(value, "0%db" % depth) for value in samples)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[k:k + 8], 2) for k in range(0, len(text), 8))


def paeth(a, b, c):
    return min((a, b, c), key=lambda value: (abs(a + b - c - value), (a, b, c).index(value)))


def filtered(number, line, above, step):
    left = bytes(step) + line[:-step] if step < len(line) else bytes(len(line))
    corner = bytes(step) + above[:-step] if step < len(line) else bytes(len(line))
    predicted = [lambda a, b, c: 0, lambda a, b, c: a, lambda a, b, c: b, lambda a, b, c: (a + b) // 2, paeth][number]
    return bytes([number]) + bytes((x - predicted(a, b, c)) % 256 for x, a, b, c in zip(line, left, above, corner))


def picture(kind, depth, interlaced, extra=b""):
    data, number, channels = b"", 0, CHANNELS[kind]
    for row, column, down, right in PASSES if interlaced else [(0, 0, 1, 1)]:
        columns = range(column, WIDTH, right)
        above = bytes(len(row_bytes([0] * channels * len(columns), depth)))
        for i in range(row, HEIGHT, down) if columns else ():
            line = row_bytes([sample(kind, depth, i, j, c) for j in columns for c in range(channels)], depth)
            data += filtered(number % 5, line, above, max(1, depth * channels // 8))
            above, number = line, number + 1
    packed = zlib.compress(data, 9)
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, kind, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"tEXt", b"k\0v") + extra
            + chunk(b"IDAT", packed[:20]) + chunk(b"IDAT", packed[20:]) + chunk(b"IEND", b""))


def palette(depth):
    return chunk(b"PLTE", bytes(v % 256 for k in range(min(2 ** depth, PALETTE)) for v in (3 * k, 255 - 5 * k, 7 * k)))


if __name__ == "__main__":
    print("-- Made by pictures.py: {kind, bits, interlaced, what tRNS is, bytes in hexadecimal digits}.\nreturn {")
    for kind, depths in DEPTHS.items():
        for depth in depths:
            for interlaced in (0, 1):
                before = palette(depth) if kind == 3 else b""
                print('  {%d, %d, %d, "", "%s"},' % (kind, depth, interlaced, picture(kind, depth, interlaced, before).hex()))
    opacity = chunk(b"tRNS", bytes(255 - 20 * k for k in range(5)))
    print('  {3, 8, 0, "opacity", "%s"},' % picture(3, 8, 0, palette(8) + opacity).hex())
    for kind, depth in ((0, 2), (0, 16), (2, 8)): # the sample at (1, 2)
        key = chunk(b"tRNS", b"".join(struct.pack(">H", sample(kind, depth, 1, 2, c)) for c in range(CHANNELS[kind])))
        print('  {%d, %d, 0, "key", "%s"},' % (kind, depth, picture(kind, depth, 0, key).hex()))
    print("}")
