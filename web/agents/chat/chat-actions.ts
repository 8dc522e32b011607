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
  const latestActions = useRef(actions)
  latestActions.current = actions
  return useMemo(
    () => ({
      tryAgain: () => latestActions.current.tryAgain(),
      regenerate: (answer) => latestActions.current.regenerate(answer),
      showBranch: (messageId) => latestActions.current.showBranch(messageId),
      readAloud: (entry) => latestActions.current.readAloud(entry),
      createGolden: (answer) => latestActions.current.createGolden(answer),
      startEdit: (question) => latestActions.current.startEdit(question),
      changeEdit: (text) => latestActions.current.changeEdit(text),
      sendEdit: () => latestActions.current.sendEdit(),
      cancelEdit: () => latestActions.current.cancelEdit(),
    }),
    [],
  )
}
