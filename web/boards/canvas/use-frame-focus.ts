import { type RefObject, useMemo } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { zoomedOutThreshold } from './canvas-context.ts'

const focusableSelector = 'button, a[href], input, textarea, select, [tabindex="0"]'
/** Maximum animation frames to wait for a board frame to mount. */
const maxAttempts = 60

/** Focuses frames, scrolling unmounted ones into view first. */
export function useFrameFocus(surface: RefObject<HTMLElement | null>, actions: CanvasActions) {
  return useMemo(() => {
    const findNode = ({ id }: Frame) =>
      surface.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)

    /** Retries once per animation frame until it succeeds. */
    function retryPerFrame(attempt: () => boolean, attemptsLeft = maxAttempts) {
      if (attempt() || attemptsLeft === 0) return
      requestAnimationFrame(() => retryPerFrame(attempt, attemptsLeft - 1))
    }
    function focusFrame(frame: Frame) {
      actions.reveal(frame)
      retryPerFrame(() => {
        const node = findNode(frame)
        node?.focus({ preventScroll: true })
        return Boolean(node)
      })
    }
    function enterFrame(frame: Frame) {
      actions.reveal(frame)
      if (actions.zoom < zoomedOutThreshold) actions.zoomBy('whole')
      retryPerFrame(() => {
        const focusableElements = [...(findNode(frame)?.querySelectorAll<HTMLElement>(focusableSelector) ?? [])]
        const first = focusableElements.find((element) => element.checkVisibility() && !element.matches(':disabled'))
        first?.focus({ preventScroll: true })
        return first !== undefined
      })
    }
    return { focusFrame, enterFrame }
  }, [surface, actions])
}
