/** Relative luminance of a `#rrggbb`, 0 (black) to 1 (white), as WCAG 2.2 defines it. */
export function getLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((offset) => {
    const channel = Number.parseInt(color.slice(offset, offset + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 (the same color) to 21 (black on white). */
export function getContrastRatio(first: string, second: string): number {
  const [low, high] = [getLuminance(first), getLuminance(second)].toSorted((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
