export const minuteMs = 60 * 1000
export const hourMs = 60 * 60 * 1000
export const dayMs = 24 * hourMs

export function formatMinutes(count: number): string {
  return count === 1 ? '1 minute' : `${count} minutes`
}
