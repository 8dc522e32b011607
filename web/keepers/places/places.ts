import { compareStrings } from '#contract/compare-strings.ts'
import { type GeoPoint, minLongitudeScale } from './map-projection.ts'

export interface PlacedMoment {
  id: string
  localDate: string
  place: { name: string; lat?: number | null; lng?: number | null } | null
}

export interface PlaceVisits {
  name: string
  moments: number
  /** YYYY-MM-DD */
  first: string
}

export type LocatedPlace = PlaceVisits & GeoPoint

/** About 100 meters. */
const spotDecimals = 3

/** Places in order of the first visit: `located` with coordinates, `unlocated` without. */
export function collectPlaces(moments: readonly PlacedMoment[]): { located: LocatedPlace[]; unlocated: PlaceVisits[] } {
  const located = new Map<string, LocatedPlace>()
  const unlocated = new Map<string, PlaceVisits>()
  for (const { localDate, place } of moments.toSorted((a, b) => compareStrings(a.localDate, b.localDate))) {
    if (!place) continue
    const { name, lat, lng } = place
    const hasSpot = typeof lat === 'number' && typeof lng === 'number'
    const key = hasSpot ? `${lat.toFixed(spotDecimals)} ${lng.toFixed(spotDecimals)}` : name.trim().toLowerCase()
    const existing = hasSpot ? located.get(key) : unlocated.get(key)
    if (existing) existing.moments++
    else if (hasSpot) located.set(key, { name, lat, lng, moments: 1, first: localDate })
    else unlocated.set(key, { name, moments: 1, first: localDate })
  }
  return { located: [...located.values()], unlocated: [...unlocated.values()] }
}

/** Level 0 returns all; each further level quarters the radius, starting from the farthest place. */
export function getPlacesAround<P extends GeoPoint>(places: readonly P[], center: P, zoomLevel: number): P[] {
  const longitudeScale = Math.max(minLongitudeScale, Math.cos((center.lat * Math.PI) / 180))
  const getDistance = ({ lat, lng }: P) => {
    const longitudeDelta = Math.abs(lng - center.lng)
    return Math.hypot(lat - center.lat, Math.min(longitudeDelta, 360 - longitudeDelta) * longitudeScale)
  }
  const maxDistance = Math.max(0, ...places.map(getDistance)) / 4 ** zoomLevel
  return places.filter((place) => place === center || zoomLevel === 0 || getDistance(place) <= maxDistance)
}
