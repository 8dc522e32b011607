/** For the first read of a page: no answer counts as unreachable, so the page can show its cached answer. */
export const withTimeout = (abortSignal: AbortSignal, timeoutMs = 10_000): AbortSignal =>
  AbortSignal.any([abortSignal, AbortSignal.timeout(timeoutMs)])
