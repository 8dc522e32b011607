import { useRef, useState } from 'react'
import { getUnsentEdits, type UnsentEdits } from './chat-memory.ts'

export function useQuestionEdit(slug: string) {
  const [draft] = useState(() => getUnsentEdits(slug))
  const [{ open, texts }, setEdits] = useState<UnsentEdits>(() => draft.read() ?? { open: null, texts: {} })
  const sentId = useRef<string>(undefined)
  const openText = open === null ? undefined : texts[open]

  function saveEdits(next: UnsentEdits) {
    setEdits(next)
    if (Object.keys(next.texts).length > 0) draft.write(next)
    else draft.clear()
  }
  function removeText(id: string): UnsentEdits['texts'] {
    const { [id]: _, ...otherTexts } = texts
    return otherTexts
  }
  return {
    editing: open !== null && openText !== undefined ? { messageId: open, text: openText } : undefined,
    start: (messageId: string, text: string) =>
      saveEdits({ open: messageId, texts: { ...texts, [messageId]: texts[messageId] ?? text } }),
    change: (text: string) => open !== null && saveEdits({ open, texts: { ...texts, [open]: text } }),
    cancel: () => open !== null && saveEdits({ open: null, texts: removeText(open) }),
    markSent() {
      sentId.current = open ?? undefined
      setEdits({ open: null, texts })
    },
    confirmSent() {
      const id = sentId.current
      sentId.current = undefined
      if (id !== undefined && id !== open) saveEdits({ open, texts: removeText(id) })
    },
    restoreRejected() {
      const id = sentId.current
      sentId.current = undefined
      saveEdits({ open: open ?? id ?? null, texts })
    },
  }
}
