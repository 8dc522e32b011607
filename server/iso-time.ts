/** ISO 8601 in UTC, for a time in milliseconds. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const isoTimeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoTime(milliseconds)
