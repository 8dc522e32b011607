import { type RefObject, useEffect, useMemo } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { areSingleKeyShortcutsOn } from '#web/page/single-key-shortcuts.ts'
import { getShortcutKey, handlesArrowKeys, isTyping } from '#web/ui/fields/field-keys.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { zoomedOutThreshold } from './canvas-context.ts'
import { type CanvasTool, isDrawingTool } from './canvas-toolbars.tsx'

interface CanvasKeysOptions {
  surface: RefObject<HTMLDivElement | null>
  actions: CanvasActions
  canEdit: boolean
  canArrange: boolean
  onToolChange: (tool: CanvasTool) => void
  /** Reveals the frame and focuses it once mounted. */
  focusFrame: (frame: Frame) => void
  enterFrame: (frame: Frame) => void
}

const arrowDirections: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
const toolKeys: Record<string, CanvasTool> = { v: 'select', h: 'hand', f: 'frame', t: 'text' }
/** Grid steps with Shift. */
const largeStep = 5
/** Screen pixels that arrow keys pan by without a selection. */
const panPixels = 80

const findClosestNode = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('.react-flow__node') : null

/** Whether the canvas has focus; on a page of its own, also if nothing has focus. */
export function isForCanvas(surface: HTMLElement | null, target: EventTarget | null): surface is HTMLElement {
  if (!surface || !(target instanceof Node)) return false
  // Clipboard events reach the body although the canvas has focus.
  const focused = target === document.body ? document.activeElement : target
  return surface.contains(focused) || (focused === document.body && !surface.hasAttribute('data-embedded'))
}

export function useCanvasKeys({
  surface,
  actions,
  canEdit,
  canArrange,
  onToolChange,
  focusFrame,
  enterFrame,
}: CanvasKeysOptions): void {
  useEffect(() => {
    /** Shift+Enter collects a selection, which Tab then leaves unchanged. */
    let isSelectingMultiple = false

    function handleKeyDown(event: KeyboardEvent) {
      const { current: surfaceElement } = surface
      if (event.defaultPrevented || !surfaceElement) return
      if (!isForCanvas(surfaceElement, event.target)) {
        // Undo and redo also work outside the canvas.
        const isInMain = event.target instanceof Element && event.target.closest('main') !== null
        if (isInMain && !isTyping(event.target) && handleHistoryKey(event)) event.preventDefault()
        return
      }
      const node = findClosestNode(event.target)
      const isInFrame = node !== null && node !== event.target
      const isHandled = isInFrame ? handleKeyInFrame(event, node) : handleKeyOnCanvas(event, node, surfaceElement)
      if (isHandled) event.preventDefault()
    }

    function handleKeyInFrame(event: KeyboardEvent, node: HTMLElement): boolean {
      if (event.key === 'Escape') {
        node.focus()
        return true
      }
      return !isTyping(event.target) && handleHistoryKey(event)
    }

    function handleKeyOnCanvas(event: KeyboardEvent, node: HTMLElement | null, surfaceElement: HTMLElement): boolean {
      if (event.key === 'Tab') return handleTab(event, node, surfaceElement)
      return handleCommandKey(event) || (!isTyping(event.target) && handlePlainKey(event, node))
    }

    /** Moves focus through the frames in reading order, mounted or not, then on to the tools. */
    function handleTab(event: KeyboardEvent, node: HTMLElement | null, surfaceElement: HTMLElement): boolean {
      const { frames } = actions
      const firstButton =
        surfaceElement.querySelector<HTMLElement>('[data-selection-bar] button') ??
        surfaceElement.querySelector<HTMLElement>('[data-canvas-tools] button')
      const step = event.shiftKey ? -1 : 1
      if (!node) {
        const first = event.target === surfaceElement && !event.shiftKey ? frames[0] : undefined
        const isMovingBack = event.shiftKey && event.target === firstButton
        const next = first ?? (isMovingBack ? frames.at(-1) : undefined)
        if (next) goToFrame(next)
        return next !== undefined
      }
      const index = frames.findIndex(({ id }) => id === node.dataset.id)
      const next = frames[index + step]
      if (next) goToFrame(next)
      else if (event.shiftKey) surfaceElement.focus()
      else firstButton?.focus()
      return true
    }
    function goToFrame(frame: Frame) {
      if (!isSelectingMultiple) actions.select([frame.id])
      focusFrame(frame)
    }

    function handleHistoryKey(event: KeyboardEvent): boolean {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || !canEdit) return false
      const key = getShortcutKey(event)
      if (key === 'z' && !event.shiftKey) actions.undo()
      else if ((key === 'z' && event.shiftKey) || key === 'y') actions.redo()
      else return false
      return true
    }

    function handleCommandKey(event: KeyboardEvent): boolean {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event.target)) return false
      if (handleHistoryKey(event)) return true
      const command = commands[getShortcutKey(event)]
      if (!command || (command.needsEditRight && !canEdit)) return false
      if (command.needsArrangeRight && !canArrange) actions.announceLocked()
      else command.run()
      return true
    }
    const commands: Record<string, { run: () => void; needsEditRight?: boolean; needsArrangeRight?: boolean }> = {
      a: { run: () => actions.selectAll() },
      d: { run: () => actions.duplicate(), needsEditRight: true },
      ']': { run: () => actions.bringToFront(), needsEditRight: true, needsArrangeRight: true },
      '[': { run: () => actions.sendToBack(), needsEditRight: true, needsArrangeRight: true },
      '+': { run: () => actions.zoomBy('in') },
      '=': { run: () => actions.zoomBy('in') },
      '-': { run: () => actions.zoomBy('out') },
      '0': { run: () => actions.zoomBy('full-size') },
    }

    function handlePlainKey(event: KeyboardEvent, node: HTMLElement | null): boolean {
      if (event.ctrlKey || event.metaKey) return false
      const { key, shiftKey, altKey } = event
      const arrow = arrowDirections[key]
      if (arrow) return handleArrowKey(event, arrow)
      if (altKey) return key === 'F10' && focusBar()
      const frame = node && actions.findFrame(node.dataset.id ?? '')
      if (key === 'Enter' && frame) {
        if (shiftKey) toggleSelected(frame)
        else enterFrame(frame)
        return true
      }
      if (key === 'Escape') {
        if (!actions.cancelGesture) return clearSelection()
        actions.cancelGesture()
        return true
      }
      if ((key === 'Delete' || key === 'Backspace') && canEdit && actions.selectedFrames.length > 0) {
        actions.remove()
        surface.current?.focus({ preventScroll: true })
        return true
      }
      if (shiftKey && event.code === 'Digit1') {
        actions.zoomBy('fit')
        return true
      }
      const tool = shiftKey || !areSingleKeyShortcutsOn() ? undefined : toolKeys[getShortcutKey(event)]
      if (!tool || (!canEdit && isDrawingTool(tool))) return false
      onToolChange(tool)
      return true
    }

    function handleArrowKey(event: KeyboardEvent, { x, y }: { x: number; y: number }): boolean {
      // Toolbars handle arrow keys themselves.
      const isInToolbar = event.target instanceof Element && event.target.closest('[role="toolbar"]') !== null
      if (isInToolbar || handlesArrowKeys(event.target)) return false
      const isSelected = actions.selectedFrames.length > 0
      if (!isSelected || !canEdit) {
        if (event.altKey) return false
        actions.pan({ x: x * panPixels, y: y * panPixels })
        return true
      }
      const steps = event.shiftKey ? largeStep : 1
      if (!canArrange) actions.announceLocked()
      else if (event.altKey) actions.grow({ x: x * steps, y: y * steps })
      else actions.nudge({ x: x * steps, y: y * steps })
      return true
    }

    function toggleSelected(frame: Frame) {
      const selectedIds = new Set(actions.selectedFrames.map(({ id }) => id))
      if (isSelectingMultiple && selectedIds.has(frame.id)) selectedIds.delete(frame.id)
      else selectedIds.add(frame.id)
      isSelectingMultiple = selectedIds.size > 0
      actions.select(selectedIds)
      actions.announceSelection()
    }

    function clearSelection(): boolean {
      isSelectingMultiple = false
      onToolChange('select')
      if (actions.selectedFrames.length === 0) return false
      actions.select([])
      return true
    }

    function focusBar(): boolean {
      const firstBarButton = surface.current?.querySelector<HTMLElement>('[data-selection-bar] button')
      firstBarButton?.focus()
      return firstBarButton !== undefined && firstBarButton !== null
    }

    function handleKeyUp(event: KeyboardEvent) {
      if (arrowDirections[event.key]) actions.endGesture()
    }
    document.addEventListener('keydown', handleKeyDown)
    document.addEventListener('keyup', handleKeyUp)
    return () => {
      document.removeEventListener('keydown', handleKeyDown)
      document.removeEventListener('keyup', handleKeyUp)
    }
  }, [surface, actions, canEdit, canArrange, onToolChange, focusFrame, enterFrame])
}

const focusableSelector = 'button, a[href], input, textarea, select, [tabindex="0"]'
/** Maximum animation frames to wait for a board frame to mount. */
const maxFocusAttempts = 60

/** Focuses frames, scrolling unmounted ones into view first. */
export function useFrameFocus(surface: RefObject<HTMLElement | null>, actions: CanvasActions) {
  return useMemo(() => {
    const findNode = ({ id }: Frame) =>
      surface.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)

    /** Retries once per animation frame until it succeeds. */
    function retryPerFrame(attempt: () => boolean, attemptsLeft = maxFocusAttempts) {
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
      if (actions.zoom < zoomedOutThreshold) actions.zoomBy('full-size')
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
