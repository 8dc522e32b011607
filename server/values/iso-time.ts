export const toIsoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const toIsoTimeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : toIsoTime(milliseconds)
