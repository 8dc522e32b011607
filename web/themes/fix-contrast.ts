import { type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'
import { type Colours, measure, type Pair, pairs } from './contrast.ts'

/** Finer than 1/255, so that every gray is tried. */
const step = 1 / 512

/** The nearest color of the same hue and saturation that passes on every background, or undefined. */
export function fixedInk(hex: string, grounds: readonly { hex: string; needs: Pair['needs'] }[]): string | undefined {
  const wanted = grounds.map(({ needs }, at) => ({ ink: 'ink', ground: String(at), needs }))
  const colours = Object.fromEntries(grounds.map((ground, at) => [String(at), ground.hex]))
  const passes = (ink: string) => measure({ ...colours, ink }, wanted).every((pair) => pair.passes)
  if (passes(hex)) return hex
  const [hue, saturation, lightness] = hslOf(hex)
  for (let away = step; away <= 1; away += step)
    for (const next of [lightness - away, lightness + away]) {
      if (next < -step || next > 1 + step) continue
      const moved = hexOf(hue, saturation, Math.min(1, Math.max(0, next)))
      if (passes(moved)) return moved
    }
  return undefined
}

export function fixedKey(key: ThemeKey, colours: Colours): string | undefined {
  const grounds = pairs.flatMap(({ ink, ground, needs }) => {
    const hex = colours[ground]
    return ink === key && hex ? [{ hex, needs }] : []
  })
  return fixedInk(colours[key] ?? '', grounds)
}

// These are also backgrounds, so the text on them is fixed afterwards.
const groundsFirst: ThemeKey[] = ['primary', 'destructive']
const order = [...groundsFirst, ...themeKeys.filter((key) => !groundsFirst.includes(key))]

/** `unfixable` lists the colors that no lightness makes readable. */
export function fixAll(colours: Colours): { changes: Partial<Record<ThemeKey, string>>; stuck: ThemeKey[] } {
  const changes: Partial<Record<ThemeKey, string>> = {}
  const stuck: ThemeKey[] = []
  for (const key of order) {
    const now: Colours = { ...colours, ...changes }
    const fixed = fixedKey(key, now)
    if (fixed === undefined) stuck.push(key)
    else if (fixed !== now[key]) changes[key] = fixed
  }
  return { changes, stuck }
}

/** Hue in sixths, saturation and lightness from 0 to 1; unrounded, so that the hue doesn't drift. */
function hslOf(hex: string): [number, number, number] {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ]
  const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  const [spread, lightness] = [high - low, (high + low) / 2]
  if (spread === 0) return [0, 0, lightness]
  const hue =
    high === red
      ? ((green - blue) / spread + 6) % 6
      : high === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4
  return [hue, spread / (1 - Math.abs(2 * lightness - 1)), lightness]
}

function hexOf(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (offset: number) => {
    const at = (offset + hue * 2) % 12
    const value = lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))
    return Math.round(255 * Math.min(1, Math.max(0, value)))
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(0)}${part(8)}${part(4)}`
}
