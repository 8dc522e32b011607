/** A time in milliseconds as answers and archives say it: ISO 8601, UTC. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** As {@link isoTime}; `null` stays `null`. */
export const isoTimeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoTime(milliseconds)
