import { useRef, useState } from 'react'
import { getUnsentEditsDraft, type UnsentEdits } from './chat-memory.ts'

export function useQuestionEdit(slug: string) {
  const [draft] = useState(() => getUnsentEditsDraft(slug))
  const [{ open: openId, texts }, setEdits] = useState<UnsentEdits>(() => draft.read() ?? { open: null, texts: {} })
  const sentId = useRef<string>(undefined)
  const openText = openId === null ? undefined : texts[openId]

  function storeEdits(next: UnsentEdits) {
    setEdits(next)
    if (Object.keys(next.texts).length > 0) draft.write(next)
    else draft.clear()
  }
  function removeText(id: string): UnsentEdits['texts'] {
    const { [id]: _, ...otherTexts } = texts
    return otherTexts
  }
  return {
    editing: openId !== null && openText !== undefined ? { messageId: openId, text: openText } : undefined,
    start: (messageId: string, text: string) =>
      storeEdits({ open: messageId, texts: { ...texts, [messageId]: texts[messageId] ?? text } }),
    change: (text: string) => openId !== null && storeEdits({ open: openId, texts: { ...texts, [openId]: text } }),
    cancel: () => openId !== null && storeEdits({ open: null, texts: removeText(openId) }),
    markSent() {
      sentId.current = openId ?? undefined
      setEdits({ open: null, texts })
    },
    confirmSent() {
      const id = sentId.current
      sentId.current = undefined
      if (id !== undefined && id !== openId) storeEdits({ open: openId, texts: removeText(id) })
    },
    restoreRejected() {
      const id = sentId.current
      sentId.current = undefined
      storeEdits({ open: openId ?? id ?? null, texts })
    },
  }
}
