import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { BoardEditor } from './board-editor.ts'
import { useBoardEditor } from './use-board-editor.tsx'

interface SaveOptions {
  mayEdit: boolean
  /** Whether Ctrl+S and Cmd+S are this board's and not the browser's. */
  takesKey?: boolean
  /** What is put right first. Give it a function that stays the same. */
  before?: (editor: BoardEditor) => void
}

/** Saves the open board, by the key too, and opens what is to be decided when somebody was faster. */
export function useSaveBoard({ mayEdit, takesKey = true, before }: SaveOptions) {
  const editor = useBoardEditor()
  const [reviewing, setReviewing] = useState(false)

  /** `true`: the server has it. */
  const save = useCallback(async (): Promise<boolean> => {
    if (!mayEdit) return false
    before?.(editor)
    editor.endGesture()
    try {
      const isSaved = await editor.save()
      if (editor.seen().conflict) setReviewing(true)
      return isSaved
    } catch {
      // The bar says why, by `problem` of the editor.
      return false
    }
  }, [editor, mayEdit, before])

  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's') return
    if (!takesKey) return
    event.preventDefault()
    if (!event.repeat && !document.querySelector('[role="alertdialog"]')) void save()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])

  return { save, reviewing, setReviewing }
}
