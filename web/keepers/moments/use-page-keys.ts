import { useEffect, useRef } from 'react'
import { areSingleKeyShortcutsOn } from '#web/page/single-key-shortcuts.ts'
import { getShortcutKey, isTyping } from '#web/ui/fields/field-keys.ts'
import { isDialogOpen } from '#web/ui/overlays/use-dialog-focus.ts'

/** Actions by key, off while typing or in a dialog. They precede the shell's shortcuts and share their off switch. */
export function usePageKeys(actions: Record<string, () => void>, enabled = true): void {
  const latestActions = useRef(actions)
  latestActions.current = actions
  useEffect(() => {
    if (!enabled) return
    function handleKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (isTyping(event.target) || !areSingleKeyShortcutsOn() || isDialogOpen()) return
      const action = latestActions.current[getShortcutKey(event)]
      if (!action) return
      event.preventDefault()
      event.stopPropagation()
      action()
    }
    addEventListener('keydown', handleKeyDown, { capture: true })
    return () => removeEventListener('keydown', handleKeyDown, { capture: true })
  }, [enabled])
}
