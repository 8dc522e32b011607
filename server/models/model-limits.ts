export interface ModelLimits {
  /** Until the connection stands (TLS included) and the request is sent. */
  connectMs: number
  /** Without a byte before the answer begins; comments and pings of a stream count as bytes. */
  firstByteMs: number
  /** Without a byte once the answer has begun. */
  idleMs: number
  /** Without a part of the answer, over every attempt and every wait between them. */
  wallMs: number
  /** For the whole answer, even while it keeps arriving. */
  maxMs: number
  /** Bytes of an answer after decompression. */
  maxResponseBytes: number
  /** Bytes of one server-sent event. */
  maxEventBytes: number
}

export const defaultLimits: ModelLimits = {
  connectMs: 5_000,
  firstByteMs: 60_000,
  idleMs: 30_000,
  wallMs: 120_000,
  maxMs: 3_600_000,
  maxResponseBytes: 8 * 1024 * 1024,
  maxEventBytes: 1024 * 1024,
}

/** A model on the operator's own machines loads before it answers, and reads and writes more slowly. */
const localLimits: Partial<ModelLimits> = { firstByteMs: 600_000, idleMs: 300_000, wallMs: 1_200_000 }

/** The setting of each timeout. `listMs`: of a list of models or voices, for which a page waits. */
export const timeoutSettings = {
  connectMs: 'KEEPER_MODEL_TIMEOUT_CONNECT',
  firstByteMs: 'KEEPER_MODEL_TIMEOUT_FIRST_BYTE',
  idleMs: 'KEEPER_MODEL_TIMEOUT_SILENCE',
  wallMs: 'KEEPER_MODEL_TIMEOUT_TOTAL',
  maxMs: 'KEEPER_MODEL_TIMEOUT_ANSWER',
  listMs: 'KEEPER_MODEL_TIMEOUT_LIST',
} as const

/** Timeouts as failure messages name them. */
export const timeoutNames = {
  firstByteMs: 'first-byte timeout',
  idleMs: 'silence timeout',
  wallMs: 'total timeout',
  maxMs: 'longest answer',
} as const

/** Timeouts the operator set, in milliseconds; those left out have their default. */
export type ModelTimeouts = Partial<Record<keyof typeof timeoutSettings, number>>

/** The limits of a call. An answer that comes whole has its first byte as late as its last. */
export function getLimits(
  { timeouts }: { timeouts?: ModelTimeouts },
  { baseUrl }: { baseUrl: string | null },
  { isWhole }: { isWhole: boolean },
): ModelLimits {
  const isLocal = baseUrl !== null && isLocalAddress(baseUrl)
  const limits = { ...defaultLimits, ...(isLocal && localLimits), ...timeouts }
  return isWhole ? { ...limits, firstByteMs: limits.wallMs } : limits
}

/** How long a list of models or voices may take. */
export function getListMs({ timeouts }: { timeouts?: ModelTimeouts }, { baseUrl }: { baseUrl: string | null }): number {
  return timeouts?.listMs ?? (baseUrl !== null && isLocalAddress(baseUrl) ? 30_000 : 5_000)
}

/** Loopback, private networks, and names that only a local network resolves. */
export function isLocalAddress(url: string): boolean {
  const host = URL.parse(url)
    ?.hostname.replace(/^\[|\]$/g, '')
    .toLowerCase()
  if (host === undefined) return false
  if (
    /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(
      host,
    )
  )
    return true
  if (host.includes(':')) return host === '::1' || /^f[cd]|^fe[89ab]/.test(host)
  return !host.includes('.') || /\.(?:localhost|local|lan|internal|home\.arpa)$/.test(host)
}
