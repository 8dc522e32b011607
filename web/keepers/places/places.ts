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

/** About 100 metres. */
const sameSpot = 3

/** Places in order of the first visit: `drawn` with coordinates, `listed` without. */
export function placesOf(moments: readonly PlacedMoment[]): { drawn: DrawnPlace[]; listed: Visited[] } {
  const drawn = new Map<string, DrawnPlace>()
  const listed = new Map<string, Visited>()
  const inOrder = [...moments].sort((a, b) => (a.localDate < b.localDate ? -1 : a.localDate > b.localDate ? 1 : 0))
  for (const { localDate, place } of inOrder) {
    if (!place) continue
    const { name, lat, lng } = place
    const hasSpot = typeof lat === 'number' && typeof lng === 'number'
    const key = hasSpot ? `${lat.toFixed(sameSpot)} ${lng.toFixed(sameSpot)}` : name.trim().toLowerCase()
    const known = hasSpot ? drawn.get(key) : listed.get(key)
    if (known) known.moments++
    else if (hasSpot) drawn.set(key, { name, lat, lng, moments: 1, first: localDate })
    else listed.set(key, { name, moments: 1, first: localDate })
  }
  return { drawn: [...drawn.values()], listed: [...listed.values()] }
}

/**
 * Places around `middle`. Step 0 returns all; each further step quarters the radius, starting from the farthest place.
 */
export function placesAround<P extends Located>(places: readonly P[], middle: P, closer: number): P[] {
  const shorter = Math.max(0.1, Math.cos((middle.lat * Math.PI) / 180))
  const away = ({ lat, lng }: P) => {
    const turn = Math.abs(lng - middle.lng)
    return Math.hypot(lat - middle.lat, Math.min(turn, 360 - turn) * shorter)
  }
  const reach = Math.max(0, ...places.map(away)) / 4 ** closer
  return places.filter((place) => place === middle || closer === 0 || away(place) <= reach)
}
