/** Whether the last entry is of the reader's own day: then the book carries its ribbon. */
export function isWrittenToday(lastEntryAt: string | null, now: Date): boolean {
  return lastEntryAt !== null && new Date(lastEntryAt).toDateString() === now.toDateString()
}
