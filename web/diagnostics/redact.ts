import { storedToken } from '#web/api.ts'

const maxLineLength = 300
const removed = '[removed]'

const patterns: [RegExp, string][] = [
  [/\bBearer\s+[^\s"',;]+/gi, removed],
  [/\b(?:sk|rk|pk)[-_][A-Za-z0-9_*.…-]{4,}/g, removed],
  [/\btgp_[A-Za-z0-9_*-]{4,}/g, removed],
  [/\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{28,}/g, removed],
  [/\b[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}\b/gi, '[an email]'],
  [/"[^"]{12,}"/g, '"…"'],
  [/\b(https?:\/\/[^\s?#"']+)[?#][^\s"']*/g, '$1'],
  [/(\/[\w./-]*)\?[^\s"']+/g, '$1'],
]

/** Shortens a line for a report and removes tokens, keys, emails, queries and quoted texts. */
export function redacted(text: string): string {
  let clean = text.slice(0, 4 * maxLineLength)
  const token = storedToken()
  if (token) clean = clean.replaceAll(token, removed)
  for (const [pattern, instead] of patterns) clean = clean.replace(pattern, instead)
  return clean.length > maxLineLength ? `${clean.slice(0, maxLineLength - 1)}…` : clean
}

/** Redacts every text in a value at any depth, except the server's ids of requests and runs. */
export function redactedDeep(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return ids.has(name) && /^[\w-]{1,64}$/.test(value) ? value : redacted(value)
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redactedDeep(item, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactedDeep(item, key)]))
}

const ids = new Set(['request_id', 'run_id', 'model'])

/** Removes query, fragment and credentials; addresses of this site become paths. */
export function plainAddress(address: string): string {
  const url = URL.parse(address, location.href)
  if (!url) return 'an unreadable address'
  if (!/^https?:$/.test(url.protocol)) return url.protocol
  return url.origin === location.origin ? url.pathname : url.origin + url.pathname
}
