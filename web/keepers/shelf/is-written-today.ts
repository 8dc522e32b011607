/** Whether the last entry was written today in the reader's time zone. */
export function isWrittenToday(lastEntryAt: string | null, now: Date): boolean {
  return lastEntryAt !== null && new Date(lastEntryAt).toDateString() === now.toDateString()
}
