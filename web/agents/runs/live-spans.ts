import type { RunSpan } from '#contract/agents/runs.ts'

/** Updates fetched spans with live ones, which know the end but have no input or output. */
export function withLiveSpans(asked: RunSpan[], told: RunSpan[]): RunSpan[] {
  const newest = new Map(told.map((span) => [span.id, span]))
  const known = new Set(asked.map((span) => span.id))
  return [
    ...asked.map((span) => {
      const now = newest.get(span.id)
      if (!now || span.ended_ms !== null) return span
      return { ...span, ended_ms: now.ended_ms, failure: now.failure, usage: now.usage ?? span.usage }
    }),
    ...told.filter((span) => !known.has(span.id)),
  ]
}
