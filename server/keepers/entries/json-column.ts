/** A JSON column of a row: parsed when it was read, still text in what `saveEntry` answers and in a stale version. */
export function jsonColumn<T extends object | null>(value: T): T {
  return typeof value === 'string' ? (JSON.parse(value) as T) : value
}
