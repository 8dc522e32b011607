/** A positive whole number, as a list of models has it. */
export function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** The day of a date or a moment: `2027-01-14`. null stays null: there is none. */
export function readDay(value: unknown): string | null | undefined {
  if (value === null) return null
  return typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] : undefined
}
