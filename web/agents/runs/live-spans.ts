import type { RunSpan } from '#contract/agents/runs.ts'

/** Updates fetched spans with live ones, which know the end but have no input or output. */
export function mergeLiveSpans(fetchedSpans: RunSpan[], liveSpans: RunSpan[]): RunSpan[] {
  const newest = new Map(liveSpans.map((span) => [span.id, span]))
  const fetchedIds = new Set(fetchedSpans.map((span) => span.id))
  return [
    ...fetchedSpans.map((span) => {
      const liveSpan = newest.get(span.id)
      if (!liveSpan || span.ended_ms !== null) return span
      return { ...span, ended_ms: liveSpan.ended_ms, failure: liveSpan.failure, usage: liveSpan.usage ?? span.usage }
    }),
    ...liveSpans.filter((span) => !fetchedIds.has(span.id)),
  ]
}
