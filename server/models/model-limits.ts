export interface ModelLimits {
  /** Until the connection stands (TLS included) and the request is under way. */
  connectMs: number
  /** Until the first meaningful bytes of the answer: the body of a plain one, an event that is no ping of a streamed one. */
  firstByteMs: number
  /** Between two meaningful pieces of an answer; pings and comments do not count. */
  idleMs: number
  /** The whole run: every attempt and every wait between them. */
  wallMs: number
  /** Of an answer after decompression. */
  maxResponseBytes: number
  /** Of one server-sent event. */
  maxEventBytes: number
}

export const defaultLimits: ModelLimits = {
  connectMs: 5_000,
  firstByteMs: 60_000,
  idleMs: 30_000,
  wallMs: 120_000,
  maxResponseBytes: 8 * 1024 * 1024,
  maxEventBytes: 1024 * 1024,
}
