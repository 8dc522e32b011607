import { useEffect } from 'react'
import { isTyping } from '#web/ui/fields/field-keys.ts'
import { isPhone } from '#web/ui/hooks/use-viewport-class.ts'
import { isDialogOpen } from '#web/ui/overlays/use-dialog-focus.ts'

export const momentBoxId = 'moment-box'

const findTextArea = () => document.getElementById(momentBoxId)?.querySelector('textarea') ?? null

export function focusMomentBox(): void {
  const textArea = findTextArea()
  textArea?.focus()
  textArea?.setSelectionRange(textArea.value.length, textArea.value.length)
}

export const hasMomentText = () => (findTextArea()?.value.trim() ?? '') !== ''

/** How long the box may take to load before it no longer takes the focus (ms). */
const maxWaitMs = 10_000

/** Whether the browser loaded the home page itself and no other page has been opened since. */
let isFirstPage = wasLoadedAsHome()

function wasLoadedAsHome(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  const { pathname, searchParams } = new URL(navigation?.name ?? location.href, location.href)
  return pathname === '/root' && !searchParams.has('tab')
}

/** A focused box opens the keyboard of a phone over the page. */
const isComputer = () => matchMedia('(hover: hover) and (pointer: fine)').matches && !isPhone()

/** Focuses the box once it is ready and inserts the keys typed until then, unless the focus is elsewhere. */
export function useInitialFocus(isRequested: boolean): void {
  useEffect(() => {
    const isAutomatic = isFirstPage && location.pathname === '/root' && isComputer()
    isFirstPage = false
    if (!isRequested && !isAutomatic) return
    const endsAt = performance.now() + maxWaitMs
    let typedText = ''
    let frame = requestAnimationFrame(tryFocus)

    function tryFocus() {
      const textArea = findTextArea()
      const { activeElement } = document
      const hasFocusMoved = !isRequested && activeElement !== document.body && activeElement !== textArea
      if (hasFocusMoved || isDialogOpen() || performance.now() > endsAt) return stop()
      if (!textArea || textArea.readOnly) {
        frame = requestAnimationFrame(tryFocus)
        return
      }
      stop()
      focusMomentBox()
      if (!typedText) return
      textArea.setRangeText(typedText, textArea.selectionStart, textArea.selectionEnd, 'end')
      textArea.dispatchEvent(new Event('input', { bubbles: true }))
    }
    function handleKeyDown(event: KeyboardEvent) {
      const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isCharacter || isTyping(event.target) || isDialogOpen()) return
      event.preventDefault()
      event.stopImmediatePropagation()
      typedText += event.key
    }
    function stop() {
      cancelAnimationFrame(frame)
      removeEventListener('keydown', handleKeyDown, { capture: true })
      removeEventListener('pointerdown', stop)
    }
    addEventListener('keydown', handleKeyDown, { capture: true })
    addEventListener('pointerdown', stop)
    return stop
  }, [isRequested])

  // Single-key shortcuts work again after Escape.
  useEffect(() => {
    function handleEscape(event: KeyboardEvent) {
      if (event.key === 'Escape' && !event.defaultPrevented && event.target === findTextArea()) findTextArea()?.blur()
    }
    addEventListener('keydown', handleEscape)
    return () => removeEventListener('keydown', handleEscape)
  }, [])
}
