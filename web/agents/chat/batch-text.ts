import type { FollowedEvent } from './follow-run.ts'

/** Text arrives faster than a page can paint, so each frame gets one batch. Hidden tabs get no frames; a timer flushes there. */
export function batchText(tell: (event: FollowedEvent) => void): {
  hear: (event: FollowedEvent) => void
  drop: () => void
} {
  let waiting = ''
  let reasoning = ''
  /** Text of called agents, by span id. */
  let below = new Map<string, string>()
  let cancel: (() => void) | undefined

  function flush() {
    cancel?.()
    cancel = undefined
    const [thought, delta, others] = [reasoning, waiting, below]
    waiting = ''
    reasoning = ''
    below = new Map()
    if (thought !== '') tell({ event: 'reasoning', data: { delta: thought } })
    if (delta !== '') tell({ event: 'text', data: { delta } })
    for (const [span_id, words] of others) tell({ event: 'span-text', data: { span_id, delta: words } })
  }
  return {
    hear(event) {
      if (event.event === 'text') waiting += event.data.delta
      else if (event.event === 'reasoning') reasoning += event.data.delta
      else if (event.event === 'span-text') {
        const { span_id, delta } = event.data
        below.set(span_id, (below.get(span_id) ?? '') + delta)
      } else {
        flush()
        tell(event)
        return
      }
      cancel ??= nextPaint(flush)
    },
    drop() {
      cancel?.()
      waiting = ''
      reasoning = ''
      below.clear()
    },
  }
}

function nextPaint(act: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(act, 250)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(act)
  return () => cancelAnimationFrame(frame)
}
