import { useMemo, useRef } from 'react'
import type { ChatEntry } from './chat-entry.ts'

/** Message actions; a stable object, so that memoized messages don't rerender. */
export interface ChatActions {
  tryAgain: () => void
  regenerate: (answer: ChatEntry) => void
  showBranch: (messageId: string) => void
  readAloud: (entry: ChatEntry) => void
  createGolden: (answer: ChatEntry) => void
  startEdit: (question: ChatEntry) => void
  changeEdit: (text: string) => void
  sendEdit: () => void
  cancelEdit: () => void
}

export function useStableActions(actions: ChatActions): ChatActions {
  const latest = useRef(actions)
  latest.current = actions
  return useMemo(
    () => ({
      tryAgain: () => latest.current.tryAgain(),
      regenerate: (answer) => latest.current.regenerate(answer),
      showBranch: (messageId) => latest.current.showBranch(messageId),
      readAloud: (entry) => latest.current.readAloud(entry),
      createGolden: (answer) => latest.current.createGolden(answer),
      startEdit: (question) => latest.current.startEdit(question),
      changeEdit: (text) => latest.current.changeEdit(text),
      sendEdit: () => latest.current.sendEdit(),
      cancelEdit: () => latest.current.cancelEdit(),
    }),
    [],
  )
}
