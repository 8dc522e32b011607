import { useEffect, useRef } from 'react'
import { areSingleKeysOn } from '#web/shell/keyboard-shortcuts.ts'
import { isDialogOpen } from '#web/ui/is-dialog-open.ts'
import { isTyping } from '#web/ui/is-typing.ts'

/** Ignored while typing or in a dialog. Takes precedence over the shell's shortcuts and shares their off switch. */
export function usePageKeys(keys: Record<string, () => void>, enabled = true): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    if (!enabled) return
    function keyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (isTyping(event.target) || !areSingleKeysOn() || isDialogOpen()) return
      const act = latest.current[event.key.toLowerCase()]
      if (!act) return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    addEventListener('keydown', keyDown, { capture: true })
    return () => removeEventListener('keydown', keyDown, { capture: true })
  }, [enabled])
}
