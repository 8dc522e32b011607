import { useRef, useState } from 'react'
import { type UnsentEdits, unsentEdits } from './chat-memory.ts'

/** Edited questions, one open at a time. Each text is stored until the server has it or it is cancelled. */
export function useQuestionEdit(slug: string) {
  const [draft] = useState(() => unsentEdits(slug))
  const [{ open, texts }, setEdits] = useState<UnsentEdits>(() => draft.read() ?? { open: null, texts: {} })
  const sentId = useRef<string>(undefined)
  const words = open === null ? undefined : texts[open]

  function keep(next: UnsentEdits) {
    setEdits(next)
    if (Object.keys(next.texts).length > 0) draft.write(next)
    else draft.clear()
  }
  function without(id: string): UnsentEdits['texts'] {
    const { [id]: _, ...others } = texts
    return others
  }
  return {
    editing: open !== null && words !== undefined ? { messageId: open, text: words } : undefined,
    begin: (messageId: string, text: string) =>
      keep({ open: messageId, texts: { ...texts, [messageId]: texts[messageId] ?? text } }),
    change: (text: string) => open !== null && keep({ open, texts: { ...texts, [open]: text } }),
    cancel: () => open !== null && keep({ open: null, texts: without(open) }),
    sent() {
      sentId.current = open ?? undefined
      setEdits({ open: null, texts })
    },
    taken() {
      const id = sentId.current
      sentId.current = undefined
      if (id !== undefined && id !== open) keep({ open, texts: without(id) })
    },
    refused() {
      const id = sentId.current
      sentId.current = undefined
      keep({ open: open ?? id ?? null, texts })
    },
  }
}
