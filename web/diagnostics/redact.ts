import { getStoredToken } from '#web/api/api.ts'

const maxLineLength = 300
const removedText = '[removed]'

const redactionPatterns: [RegExp, string][] = [
  [/\bBearer\s+[^\s"',;]+/gi, removedText],
  [/\b(?:sk|rk|pk)[-_][A-Za-z0-9_*.…-]{4,}/g, removedText],
  [/\btgp_[A-Za-z0-9_*-]{4,}/g, removedText],
  [/\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{28,}/g, removedText],
  [/\b[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}\b/gi, '[an email]'],
  [/"[^"]{12,}"/g, '"…"'],
  [/\b(https?:\/\/[^\s?#"']+)[?#][^\s"']*/g, '$1'],
  [/(\/[\w./-]*)\?[^\s"']+/g, '$1'],
]

/** Shortens a line for a report and removes tokens, keys, emails, queries and quoted texts. */
export function redact(text: string): string {
  let clean = text.slice(0, 4 * maxLineLength)
  const token = getStoredToken()
  if (token) clean = clean.replaceAll(token, removedText)
  for (const [pattern, replacement] of redactionPatterns) clean = clean.replace(pattern, replacement)
  return clean.length > maxLineLength ? `${clean.slice(0, maxLineLength - 1)}…` : clean
}

/** Redacts every text in a value at any depth, except request IDs, run IDs and model names. */
export function redactDeep(value: unknown, name = ''): unknown {
  if (typeof value === 'string')
    return unredactedFields.has(name) && /^[\w-]{1,64}$/.test(value) ? value : redact(value)
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redactDeep(item, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactDeep(item, key)]))
}

const unredactedFields = new Set(['request_id', 'run_id', 'model'])

/** Removes query, fragment and credentials; addresses of this site become paths. */
export function toPlainAddress(address: string): string {
  const url = URL.parse(address, location.href)
  if (!url) return 'an unreadable address'
  if (!/^https?:$/.test(url.protocol)) return url.protocol
  return url.origin === location.origin ? url.pathname : url.origin + url.pathname
}
