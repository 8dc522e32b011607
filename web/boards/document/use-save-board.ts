import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { BoardEditor } from './board-editor.ts'
import { useBoardEditor } from './use-board-editor.tsx'

interface SaveBoardOptions {
  canEdit: boolean
  /** Whether to handle Ctrl+S and Cmd+S. */
  handlesSaveKey?: boolean
  /** Runs before saving; must be stable. */
  beforeSave?: (editor: BoardEditor) => void
}

export function useSaveBoard({ canEdit, handlesSaveKey = true, beforeSave }: SaveBoardOptions) {
  const editor = useBoardEditor()
  const [reviewing, setReviewing] = useState(false)

  const save = useCallback(async (): Promise<boolean> => {
    if (!canEdit) return false
    beforeSave?.(editor)
    editor.endGesture()
    try {
      const isSaved = await editor.save()
      if (editor.getSnapshot().conflict) setReviewing(true)
      return isSaved
    } catch {
      // The bar shows the editor's `problem`.
      return false
    }
  }, [editor, canEdit, beforeSave])

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's') return
    if (!handlesSaveKey) return
    event.preventDefault()
    if (!event.repeat && !document.querySelector('[role="alertdialog"]')) void save()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])

  return { save, reviewing, setReviewing }
}
