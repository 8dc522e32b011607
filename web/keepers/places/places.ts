import type { Located } from './map-projection.ts'

export interface PlacedMoment {
  id: string
  localDate: string
  place: { name: string; lat?: number | null; lng?: number | null } | null
}

export interface Visited {
  name: string
  moments: number
  /** YYYY-MM-DD */
  first: string
}

export type DrawnPlace = Visited & Located

/** About 100 meters. */
const spotDecimals = 3

/** Places in order of the first visit: `located` with coordinates, `unlocated` without. */
export function collectPlaces(moments: readonly PlacedMoment[]): { drawn: DrawnPlace[]; listed: Visited[] } {
  const drawn = new Map<string, DrawnPlace>()
  const listed = new Map<string, Visited>()
  const inOrder = [...moments].sort((a, b) => (a.localDate < b.localDate ? -1 : a.localDate > b.localDate ? 1 : 0))
  for (const { localDate, place } of inOrder) {
    if (!place) continue
    const { name, lat, lng } = place
    const hasSpot = typeof lat === 'number' && typeof lng === 'number'
    const key = hasSpot ? `${lat.toFixed(spotDecimals)} ${lng.toFixed(spotDecimals)}` : name.trim().toLowerCase()
    const existing = hasSpot ? drawn.get(key) : listed.get(key)
    if (existing) existing.moments++
    else if (hasSpot) drawn.set(key, { name, lat, lng, moments: 1, first: localDate })
    else listed.set(key, { name, moments: 1, first: localDate })
  }
  return { drawn: [...drawn.values()], listed: [...listed.values()] }
}

/** Level 0 returns all; each further level quarters the radius, starting from the farthest place. */
export function getPlacesAround<P extends Located>(places: readonly P[], middle: P, closer: number): P[] {
  const longitudeScale = Math.max(0.1, Math.cos((middle.lat * Math.PI) / 180))
  const getDistance = ({ lat, lng }: P) => {
    const longitudeDelta = Math.abs(lng - middle.lng)
    return Math.hypot(lat - middle.lat, Math.min(longitudeDelta, 360 - longitudeDelta) * longitudeScale)
  }
  const maxDistance = Math.max(0, ...places.map(getDistance)) / 4 ** closer
  return places.filter((place) => place === middle || closer === 0 || getDistance(place) <= maxDistance)
}
