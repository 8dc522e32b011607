import { overlaps } from '#contract/boards/free-positions.ts'

export interface GeoPoint {
  name: string
  lat: number
  lng: number
}
export interface Point {
  x: number
  y: number
}
export interface Sheet {
  width: number
  height: number
  margin: number
}

const radians = Math.PI / 180
const metersPerDegree = 111_320
/** For a single place. */
const minExtentDegrees = 0.02
/** Keeps places near a pole apart. */
export const minLongitudeScale = 0.1

/** North up, longitude scaled for the latitude; places on both sides of the date line are neighbors. */
export function projectPlaces(places: readonly GeoPoint[], { width, height, margin }: Sheet) {
  if (places.length === 0) return { points: [] as Point[], metersPerPixel: 0 }
  const lngs = unwrapLongitudes(places.map(({ lng }) => lng))
  const lats = places.map(({ lat }) => lat)
  const [south, north] = getExtent(lats)
  const [west, east] = getExtent(lngs)
  const longitudeScale = Math.max(minLongitudeScale, Math.cos(((south + north) / 2) * radians))
  const widthInDegrees = Math.max((east - west) * longitudeScale, minExtentDegrees)
  const heightInDegrees = Math.max(north - south, minExtentDegrees)
  const scale = Math.min((width - 2 * margin) / widthInDegrees, (height - 2 * margin) / heightInDegrees)
  const [middleLng, middleLat] = [(west + east) / 2, (south + north) / 2]
  return {
    points: places.map(({ lat }, index) => ({
      x: width / 2 + ((lngs[index] ?? 0) - middleLng) * longitudeScale * scale,
      y: height / 2 - (lat - middleLat) * scale,
    })),
    metersPerPixel: metersPerDegree / scale,
  }
}

// Spreading a list into `Math.min` fails at about 100,000 places.
function getExtent(values: readonly number[]): [min: number, max: number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return [min, max]
}

/** Shifts longitudes so that the widest empty stretch is at the edge. */
function unwrapLongitudes(lngs: readonly number[]): number[] {
  const sortedLngs = [...new Set(lngs)].sort((a, b) => a - b)
  const [firstLng = 0, lastLng = 0] = [sortedLngs[0], sortedLngs.at(-1)]
  let start = firstLng
  let widestGap = 360 - (lastLng - firstLng)
  for (const [index, lng] of sortedLngs.entries()) {
    const nextLng = sortedLngs[index + 1]
    if (nextLng === undefined || nextLng - lng <= widestGap) continue
    start = nextLng
    widestGap = nextLng - lng
  }
  return lngs.map((lng) => (lng < start ? lng + 360 : lng))
}

/** A round length (1, 2 or 5 times a power of ten) that fits into `maxPixels`. */
export function getScaleBar(metersPerPixel: number, maxPixels: number): { pixels: number; label: string } {
  const maxMeters = metersPerPixel * maxPixels
  const power = 10 ** Math.floor(Math.log10(maxMeters))
  const meters = power * ([5, 2, 1].find((step) => step * power <= maxMeters) ?? 1)
  const label = meters >= 1000 ? `${(meters / 1000).toLocaleString('en-US')} km` : `${meters} m`
  return { pixels: meters / metersPerPixel, label }
}

const labelGap = 14
const edgeGap = 2
const markerRadius = 6

interface LabelBounds extends Point {
  width: number
  height: number
}

/** Label positions that cover no point or other label; `null` where a name doesn't fit. */
export function labelPlaces(
  points: readonly Point[],
  names: readonly string[],
  { width, height }: Pick<Sheet, 'width' | 'height'>,
  charSize: { width: number; height: number },
): ((Point & { anchor: 'start' | 'end' | 'middle' }) | null)[] {
  const occupied: LabelBounds[] = points.map(({ x, y }) => ({
    x: x - markerRadius,
    y: y - markerRadius,
    width: markerRadius * 2,
    height: markerRadius * 2,
  }))
  const ascent = charSize.height * 0.8
  const capHeight = charSize.height * 0.7
  return points.map(({ x, y }, index) => {
    const nameWidth = (names[index]?.length ?? 0) * charSize.width
    const candidates = [
      { anchor: 'start' as const, x: x + labelGap, y: y + charSize.height / 3, left: x + labelGap },
      { anchor: 'end' as const, x: x - labelGap, y: y + charSize.height / 3, left: x - labelGap - nameWidth },
      { anchor: 'middle' as const, x, y: y - labelGap, left: x - nameWidth / 2 },
      { anchor: 'middle' as const, x, y: y + labelGap + capHeight, left: x - nameWidth / 2 },
    ]
    for (const { left, ...option } of candidates) {
      const labelBox = { x: left, y: option.y - ascent, width: nameWidth, height: charSize.height }
      const isOutside =
        left < edgeGap ||
        left + nameWidth > width - edgeGap ||
        labelBox.y < edgeGap ||
        labelBox.y + labelBox.height > height - edgeGap
      if (isOutside || occupied.some((other) => overlaps(labelBox, other))) continue
      occupied.push(labelBox)
      return option
    }
    return null
  })
}
