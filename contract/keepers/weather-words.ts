import type { Moment } from './moments.ts'

/** "−2 °C, mostly cloudy" as it was imported; codes such as `partly-cloudy` read as words. */
export function weatherWords({ tempC, condition }: NonNullable<Moment['weather']>): string {
  const degrees = tempC === null ? '' : `${(Math.round(tempC) + 0).toLocaleString('en-US').replace('-', '−')} °C`
  const sky = (condition ?? '').replace(/[-_\s]+/g, ' ').trim()
  return [degrees, sky].filter(Boolean).join(', ')
}
