import { type RefObject, useMemo } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { farBelow } from './canvas-context.ts'

const enterable = 'button, a[href], input, textarea, select, [tabindex="0"]'
/** Frames of the screen to wait for a frame that comes into sight, and then for its body. */
const patience = 60

/** Focus goes to frames whether they are mounted or not: what is out of sight comes into it first. */
export function useFrameFocus(surface: RefObject<HTMLElement | null>, actions: CanvasActions) {
  return useMemo(() => {
    const nodeOf = ({ id }: Frame) => surface.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)

    /** Tries once in each frame of the screen, until it succeeds. */
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
