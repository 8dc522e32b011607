import { useRef, useState } from 'react'
import { getUnsentTextDraft } from './chat-memory.ts'
import { removeSentText, restoreText } from './composer-text.ts'

export function useComposerText(scope: string) {
  const [draft] = useState(() => getUnsentTextDraft(scope))
  const [text, setText] = useState(() => draft.read() ?? '')
  const currentText = useRef(text)
  const inFlightText = useRef('')

  function showText(next: string) {
    currentText.current = next
    setText(next)
  }
  function saveDraft() {
    draft.write(inFlightText.current ? restoreText(inFlightText.current, currentText.current) : currentText.current)
  }
  function write(next: string) {
    showText(next)
    saveDraft()
  }
  return {
    text,
    write,
    markSent(sentText: string) {
      inFlightText.current = sentText
      showText(removeSentText(sentText, currentText.current))
    },
    /** Text typed in the meantime stays in the box. */
    confirmSent() {
      inFlightText.current = ''
      saveDraft()
    },
    restoreRejected(sentText: string) {
      inFlightText.current = ''
      write(restoreText(sentText, currentText.current))
    },
  }
}
