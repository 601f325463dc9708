"""Draws time against size on logarithmic axes as a small SVG."""

import math

WIDTH, HEIGHT, MARGIN, LEGEND = 640, 400, 50, 200
COLOURS = ["#1b6ca8", "#d1495b", "#3b8132", "#8e5ea2", "#c07b12", "#2a9d8f", "#6b4f3a", "#555555", "#e07be0", "#7f7f00"]


def decades(values):
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def growth_svg(series):
    """`series`: name -> ascending (size, milliseconds)."""
    left, right = decades([size for points in series.values() for size, _ in points])
    bottom, top = decades([ms for points in series.values() for _, ms in points])

    def x(size):
        return MARGIN + (math.log10(size) - left) / max(1, right - left) * (WIDTH - 2 * MARGIN)

    def y(ms):
        return HEIGHT - MARGIN - (math.log10(ms) - bottom) / max(1, top - bottom) * (HEIGHT - 2 * MARGIN)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + LEGEND}" height="{HEIGHT}" font-family="sans-serif" font-size="11">']
    lines.append('<rect width="100%" height="100%" fill="white"/>')
    for decade in range(left, right + 1):
        at = x(10**decade)
        lines.append(f'<line x1="{at:.0f}" x2="{at:.0f}" y1="{MARGIN}" y2="{HEIGHT - MARGIN}" stroke="#ddd"/>')
        lines.append(f'<text x="{at:.0f}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle">{10**decade:,}</text>')
    for decade in range(bottom, top + 1):
        at = y(10.0**decade)
        lines.append(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{at:.0f}" y2="{at:.0f}" stroke="#ddd"/>')
        lines.append(f'<text x="{MARGIN - 4}" y="{at + 4:.0f}" text-anchor="end">{10.0**decade:g} ms</text>')
    for number, (name, points) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        dash = ' stroke-dasharray="5 3"' if "@" in name else ""
        path = " ".join(f"{x(size):.0f},{y(ms):.0f}" for size, ms in points)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>')
        lines.append(f'<text x="{WIDTH - MARGIN + 10}" y="{MARGIN + 14 * number}" fill="{colour}">{name}</text>')
    lines.append("</svg>\n")
    return "\n".join(lines)
