/** Parses a JSON column, which is still text in rows returned by `saveEntry`. */
export function parseJsonColumn<T extends object | null>(value: T): T {
  return typeof value === 'string' ? (JSON.parse(value) as T) : value
}
