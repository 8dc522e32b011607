import type { FollowedEvent } from './follow-run.ts'

/** Text arrives faster than a page can paint, so each frame gets one batch. Hidden tabs get no frames; a timer flushes there. */
export function createTextBatcher(onEvent: (event: FollowedEvent) => void): {
  push: (event: FollowedEvent) => void
  discard: () => void
} {
  let pendingText = ''
  let reasoning = ''
  /** Text of called agents, by span id. */
  let spanDeltas = new Map<string, string>()
  let cancelFlush: (() => void) | undefined

  function flush() {
    cancelFlush?.()
    cancelFlush = undefined
    const [reasoningDelta, delta, spanTexts] = [reasoning, pendingText, spanDeltas]
    pendingText = ''
    reasoning = ''
    spanDeltas = new Map()
    if (reasoningDelta !== '') onEvent({ event: 'reasoning', data: { delta: reasoningDelta } })
    if (delta !== '') onEvent({ event: 'text', data: { delta } })
    for (const [span_id, spanText] of spanTexts) onEvent({ event: 'span-text', data: { span_id, delta: spanText } })
  }
  return {
    push(event) {
      if (event.event === 'text') pendingText += event.data.delta
      else if (event.event === 'reasoning') reasoning += event.data.delta
      else if (event.event === 'span-text') {
        const { span_id, delta } = event.data
        spanDeltas.set(span_id, (spanDeltas.get(span_id) ?? '') + delta)
      } else {
        flush()
        onEvent(event)
        return
      }
      cancelFlush ??= scheduleNextPaint(flush)
    },
    discard() {
      cancelFlush?.()
      pendingText = ''
      reasoning = ''
      spanDeltas.clear()
    },
  }
}

function scheduleNextPaint(callback: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(callback, 250)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(callback)
  return () => cancelAnimationFrame(frame)
}
