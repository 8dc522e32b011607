import type { FollowedEvent } from './follow-run.ts'

/**
 * Words come faster than a page can paint: those of one frame are told together. In a hidden tab no frames come,
 * so a timer tells them.
 */
export function batchText(tell: (event: FollowedEvent) => void): {
  hear: (event: FollowedEvent) => void
  drop: () => void
} {
  let waiting = ''
  let cancel: (() => void) | undefined

  function flush() {
    cancel?.()
    cancel = undefined
    if (waiting === '') return
    const delta = waiting
    waiting = ''
    tell({ event: 'text', data: { delta } })
  }
  return {
    hear(event) {
      if (event.event !== 'text') {
        flush()
        tell(event)
        return
      }
      waiting += event.data.delta
      cancel ??= nextPaint(flush)
    },
    drop() {
      cancel?.()
      waiting = ''
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
