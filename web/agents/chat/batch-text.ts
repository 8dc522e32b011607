import type { FollowedEvent } from './follow-run.ts'

/** Text arrives faster than a page can paint, so each frame gets one batch. Hidden tabs get no frames; a timer flushes there. */
export function createTextBatcher(onEvent: (event: FollowedEvent) => void): {
  push: (event: FollowedEvent) => void
  drop: () => void
} {
  let pendingText = ''
  let reasoning = ''
  /** Text of called agents, by span id. */
  let spanDeltas = new Map<string, string>()
  let cancel: (() => void) | undefined

  function flush() {
    cancel?.()
    cancel = undefined
    const [thought, delta, spanTexts] = [reasoning, pendingText, spanDeltas]
    pendingText = ''
    reasoning = ''
    spanDeltas = new Map()
    if (thought !== '') onEvent({ event: 'reasoning', data: { delta: thought } })
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
      cancel ??= scheduleNextPaint(flush)
    },
    drop() {
      cancel?.()
      pendingText = ''
      reasoning = ''
      spanDeltas.clear()
    },
  }
}

function scheduleNextPaint(act: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(act, 250)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(act)
  return () => cancelAnimationFrame(frame)
}
