import { storedToken } from '#web/api.ts'

const longest = 300
const removed = '[removed]'

/** What keys and tokens look like, and what an engine quotes out of a text it could not read. */
const patterns: [RegExp, string][] = [
  [/\bBearer\s+[^\s"',;]+/gi, removed],
  [/\b(?:sk|rk|pk)[-_][A-Za-z0-9_*.…-]{4,}/g, removed],
  [/\btgp_[A-Za-z0-9_*-]{4,}/g, removed],
  [/\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{28,}/g, removed],
  [/\b[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}\b/gi, '[an e-mail]'],
  [/"[^"]{12,}"/g, '"…"'],
  [/\b(https?:\/\/[^\s?#"']+)[?#][^\s"']*/g, '$1'],
  [/(\/[\w./-]*)\?[^\s"']+/g, '$1'],
]

/** A line fit for a report: without tokens, keys, e-mails, queries and quoted texts, and not long. */
export function redacted(text: string): string {
  let clean = text.slice(0, 4 * longest)
  const token = storedToken()
  if (token) clean = clean.replaceAll(token, removed)
  for (const [pattern, instead] of patterns) clean = clean.replace(pattern, instead)
  return clean.length > longest ? `${clean.slice(0, longest - 1)}…` : clean
}

/** Every text within a value, however deep; ids that the server gave to requests and runs stay readable. */
export function redactedDeep(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return ids.has(name) && /^[\w-]{1,64}$/.test(value) ? value : redacted(value)
  if (Array.isArray(value)) return value.slice(0, 100).map((each) => redactedDeep(each, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactedDeep(each, key)]))
}

const ids = new Set(['request_id', 'run_id', 'model'])

/** Without query, fragment, and name and password; of the own site only the path. */
export function plainAddress(address: string): string {
  const url = URL.parse(address, location.href)
  if (!url) return 'an address that cannot be read'
  if (!/^https?:$/.test(url.protocol)) return url.protocol
  return url.origin === location.origin ? url.pathname : url.origin + url.pathname
}
