const plainNumberPattern = /^\d+(?:\.\d+)?$/
/** Larger than any wait and smaller than any recent timestamp, to tell durations from points in time. */
const maxDurationMs = 100_000_000_000

export function readRetryAfter(headers: Headers, now: number): number | undefined {
  return (
    parseNumber(headers.get('retry-after-ms'), 1) ??
    parseNumber(headers.get('retry-after'), 1000) ??
    getMsUntilDate(headers.get('retry-after'), headers.get('date'), now) ??
    getMsUntilReset(headers.get('x-ratelimit-reset'), now)
  )
}

function parseNumber(text: string | null, unitMs: number): number | undefined {
  if (text === null || !plainNumberPattern.test(text.trim())) return undefined
  return Math.ceil(Number(text) * unitMs)
}

/** Uses the nearer result of our clock and the provider's `date` header, because either can be wrong. */
function getMsUntilDate(text: string | null, providerDate: string | null, now: number): number | undefined {
  if (text === null || !/[a-z]{3}/i.test(text)) return undefined
  const retryAtMs = Date.parse(text)
  const waits = [retryAtMs - now, retryAtMs - Date.parse(providerDate ?? '')].filter((wait) => wait >= 0)
  return waits.length > 0 ? Math.min(...waits) : undefined
}

/** Together sends seconds, ElevenLabs the epoch second of the reset. */
function getMsUntilReset(text: string | null, now: number): number | undefined {
  const resetMs = parseNumber(text, 1000)
  if (resetMs === undefined) return undefined
  const wait = resetMs > maxDurationMs ? resetMs - now : resetMs
  return wait >= 0 ? wait : undefined
}
