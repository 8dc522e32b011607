import type { Moment } from './moments.ts'

export function formatWeather({ tempC, condition }: NonNullable<Moment['weather']>): string {
  // Adding 0 turns -0 into 0.
  const degrees = tempC === null ? '' : `${(Math.round(tempC) + 0).toLocaleString('en-US').replace('-', '−')} °C`
  const sky = (condition ?? '').replace(/[-_\s]+/g, ' ').trim()
  return [degrees, sky].filter(Boolean).join(', ')
}

/** Two decimals, about a kilometer, with a minus sign as people write it: “53.43, −6.24”. */
export function formatPosition({ lat, lng }: { lat: number; lng: number }): string {
  return [lat, lng].map((degrees) => degrees.toFixed(2).replace('-', '−')).join(', ')
}
