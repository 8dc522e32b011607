import { useMemo, useRef } from 'react'
import type { ChatEntry } from './chat-entry.ts'

/** Message actions; a stable object, so that memoized messages don't rerender. */
export interface ChatDeeds {
  tryAgain: () => void
  regenerate: (answer: ChatEntry) => void
  showBranch: (messageId: string) => void
  readAloud: (entry: ChatEntry) => void
  makeGolden: (answer: ChatEntry) => void
  beginEdit: (question: ChatEntry) => void
  changeEdit: (text: string) => void
  sendEdit: () => void
  cancelEdit: () => void
}

export function useSameDeeds(deeds: ChatDeeds): ChatDeeds {
  const latest = useRef(deeds)
  latest.current = deeds
  return useMemo(
    () => ({
      tryAgain: () => latest.current.tryAgain(),
      regenerate: (answer) => latest.current.regenerate(answer),
      showBranch: (messageId) => latest.current.showBranch(messageId),
      readAloud: (entry) => latest.current.readAloud(entry),
      makeGolden: (answer) => latest.current.makeGolden(answer),
      beginEdit: (question) => latest.current.beginEdit(question),
      changeEdit: (text) => latest.current.changeEdit(text),
      sendEdit: () => latest.current.sendEdit(),
      cancelEdit: () => latest.current.cancelEdit(),
    }),
    [],
  )
}
