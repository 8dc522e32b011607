/**
 * For what a page cannot begin without: a server that never answers counts as one that cannot be reached, so that the page can say so
 * or show what was read last.
 * @param left aborts when nobody waits any more
 */
export const withinPatience = (left: AbortSignal, patience = 10_000): AbortSignal =>
  AbortSignal.any([left, AbortSignal.timeout(patience)])
