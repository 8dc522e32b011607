export function isWrittenToday(lastEntryAt: string | null, now: Date): boolean {
  return lastEntryAt !== null && new Date(lastEntryAt).toDateString() === now.toDateString()
}
