import { stripBrackets } from '#server/values/strip-brackets.ts'

export interface ModelLimits {
  /** Until the connection is open (including TLS) and the request is sent. */
  connectMs: number
  /** Silence before the answer starts; comments and pings count as bytes. */
  firstByteMs: number
  idleMs: number
  /** Time without a new part of the answer, across all attempts and waits. */
  noProgressMs: number
  /** For the whole answer, even while it keeps arriving. */
  maxMs: number
  maxResponseBytes: number
  maxEventBytes: number
}

export const defaultLimits: ModelLimits = {
  connectMs: 5_000,
  firstByteMs: 60_000,
  idleMs: 30_000,
  noProgressMs: 120_000,
  maxMs: 3_600_000,
  maxResponseBytes: 8 * 1024 * 1024,
  maxEventBytes: 1024 * 1024,
}

const localLimits: Partial<ModelLimits> = { firstByteMs: 600_000, idleMs: 300_000, noProgressMs: 1_200_000 }

export const timeoutSettings = {
  connectMs: 'KEEPER_MODEL_TIMEOUT_CONNECT',
  firstByteMs: 'KEEPER_MODEL_TIMEOUT_FIRST_BYTE',
  idleMs: 'KEEPER_MODEL_TIMEOUT_SILENCE',
  noProgressMs: 'KEEPER_MODEL_TIMEOUT_TOTAL',
  maxMs: 'KEEPER_MODEL_TIMEOUT_ANSWER',
  listMs: 'KEEPER_MODEL_TIMEOUT_LIST',
} as const

export const timeoutNames = {
  firstByteMs: 'first-byte timeout',
  idleMs: 'silence timeout',
  noProgressMs: 'total timeout',
  maxMs: 'longest answer',
} as const

export type ModelTimeouts = Partial<Record<keyof typeof timeoutSettings, number>>

/** An answer that isn't streamed arrives at once, so its first byte can take as long as all of it. */
export function getLimits(
  { timeouts }: { timeouts?: ModelTimeouts },
  { baseUrl }: { baseUrl: string | null },
  { isWhole }: { isWhole: boolean },
): ModelLimits {
  const isLocal = baseUrl !== null && isLocalAddress(baseUrl)
  const limits = { ...defaultLimits, ...(isLocal && localLimits), ...timeouts }
  return isWhole ? { ...limits, firstByteMs: limits.noProgressMs } : limits
}

const defaultListMs = 5_000
const localListMs = 30_000

export function getListMs({ timeouts }: { timeouts?: ModelTimeouts }, { baseUrl }: { baseUrl: string | null }): number {
  return timeouts?.listMs ?? (baseUrl !== null && isLocalAddress(baseUrl) ? localListMs : defaultListMs)
}

const privateIpv4Pattern =
  /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
const privateIpv6Pattern = /^f[cd]|^fe[89ab]/
const localNamePattern = /\.(?:localhost|local|lan|internal|home\.arpa)$/

export function isLocalAddress(url: string): boolean {
  const hostname = URL.parse(url)?.hostname
  if (hostname === undefined) return false
  const host = stripBrackets(hostname).toLowerCase()
  if (privateIpv4Pattern.test(host)) return true
  if (host.includes(':')) return host === '::1' || privateIpv6Pattern.test(host)
  return !host.includes('.') || localNamePattern.test(host)
}
