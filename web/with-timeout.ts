/**
 * For the first read of a page: a server that never answers counts as unreachable, so the page can say so or show its
 * cached answer.
 * @param abortSignal aborts when the answer is no longer needed
 */
export const withTimeout = (abortSignal: AbortSignal, timeoutMs = 10_000): AbortSignal =>
  AbortSignal.any([abortSignal, AbortSignal.timeout(timeoutMs)])
