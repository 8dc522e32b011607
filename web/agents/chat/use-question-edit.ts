import { useState } from 'react'
import { type UnsentEdit, unsentEdit } from './chat-memory.ts'

/** The question being put another way. Its words are kept until the server has them, also over a reload. */
export function useQuestionEdit(slug: string) {
  const [draft] = useState(() => unsentEdit(slug))
  const [editing, setEditing] = useState<UnsentEdit | undefined>(() => draft.read())

  function keep(next: UnsentEdit | undefined) {
    setEditing(next)
    if (next) draft.write(next)
    else draft.clear()
  }
  return {
    editing,
    begin: (messageId: string, text: string) => keep({ messageId, text }),
    change: (text: string) => editing && keep({ ...editing, text }),
    cancel: () => keep(undefined),
    /** Out of sight, not yet forgotten. */
    sent: () => setEditing(undefined),
    taken: () => !editing && draft.clear(),
    refused: () => setEditing(draft.read()),
  }
}
