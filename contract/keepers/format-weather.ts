import type { Moment } from './moments.ts'

export function formatWeather({ tempC, condition }: NonNullable<Moment['weather']>): string {
  // Adding 0 turns -0 into 0.
  const degrees = tempC === null ? '' : `${(Math.round(tempC) + 0).toLocaleString('en-US').replace('-', '−')} °C`
  const sky = (condition ?? '').replace(/[-_\s]+/g, ' ').trim()
  return [degrees, sky].filter(Boolean).join(', ')
}
