import { type RefObject, useMemo } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { farBelow } from './canvas-context.ts'

const enterable = 'button, a[href], input, textarea, select, [tabindex="0"]'
/** Maximum animation frames to wait for a board frame to mount. */
const patience = 60

/** Focuses frames, scrolling unmounted ones into view first. */
export function useFrameFocus(surface: RefObject<HTMLElement | null>, actions: CanvasActions) {
  return useMemo(() => {
    const nodeOf = ({ id }: Frame) => surface.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)

    /** Retries once per animation frame until it succeeds. */
    function soon(attempt: () => boolean, left = patience) {
      if (attempt() || left === 0) return
      requestAnimationFrame(() => soon(attempt, left - 1))
    }
    function focusFrame(frame: Frame) {
      actions.reveal(frame)
      soon(() => {
        const node = nodeOf(frame)
        node?.focus({ preventScroll: true })
        return Boolean(node)
      })
    }
    function enterFrame(frame: Frame) {
      actions.reveal(frame)
      if (actions.zoom < farBelow) actions.zoomBy('whole')
      soon(() => {
        const inside = [...(nodeOf(frame)?.querySelectorAll<HTMLElement>(enterable) ?? [])]
        const first = inside.find((each) => each.checkVisibility() && !each.matches(':disabled'))
        first?.focus({ preventScroll: true })
        return first !== undefined
      })
    }
    return { focusFrame, enterFrame }
  }, [surface, actions])
}
