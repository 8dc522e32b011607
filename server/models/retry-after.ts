const plainNumberPattern = /^\d+(?:\.\d+)?$/
/** Larger than any wait, smaller than any moment since 1973: tells a duration from a point in time. */
const longestDurationMs = 100_000_000_000

/**
 * How long the provider asks to be left alone, in milliseconds; undefined when it does not say or says nonsense
 * (negative, a date in the past, text).
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  return (
    plainNumber(headers.get('retry-after-ms'), 1) ??
    plainNumber(headers.get('retry-after'), 1000) ??
    untilDate(headers.get('retry-after'), headers.get('date'), now) ??
    untilReset(headers.get('x-ratelimit-reset'), now)
  )
}

function plainNumber(text: string | null, unitMs: number): number | undefined {
  if (text === null || !plainNumberPattern.test(text.trim())) return undefined
  return Math.ceil(Number(text) * unitMs)
}

/** Either clock may be wrong, so the date is read against the provider's own `date` header too and the nearer answer counts. */
function untilDate(text: string | null, providerDate: string | null, now: number): number | undefined {
  if (text === null || !/[a-z]{3}/i.test(text)) return undefined
  const then = Date.parse(text)
  const waits = [then - now, then - Date.parse(providerDate ?? '')].filter((wait) => wait >= 0)
  return waits.length > 0 ? Math.min(...waits) : undefined
}

/** Together sends seconds here, ElevenLabs the second since 1970 at which the limit is lifted. */
function untilReset(text: string | null, now: number): number | undefined {
  const reset = plainNumber(text, 1000)
  if (reset === undefined) return undefined
  const wait = reset > longestDurationMs ? reset - now : reset
  return wait >= 0 ? wait : undefined
}
