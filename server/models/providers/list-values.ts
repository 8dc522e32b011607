export function readCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : undefined
}

const maxUnixSeconds = 100_000_000_000

/** The day of a date or timestamp, also in epoch seconds: `2027-01-14`. null stays null. */
export function readDay(value: unknown): string | null | undefined {
  if (value === null) return null
  if (typeof value === 'number' && value > 0 && value < maxUnixSeconds)
    return new Date(value * 1000).toISOString().slice(0, 10)
  return typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] : undefined
}
