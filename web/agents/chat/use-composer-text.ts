import { useRef, useState } from 'react'
import { getUnsentTextDraft } from './chat-memory.ts'

const startsWithText = (composerText: string, sentText: string) =>
  `${composerText.trim()}\n\n`.startsWith(`${sentText.trim()}\n\n`)

/** Puts refused text back before newer text, only once. */
export function restoreText(rejectedText: string, composerText: string): string {
  if (composerText.trim() === '') return rejectedText
  return startsWithText(composerText, rejectedText) ? composerText : `${rejectedText.trim()}\n\n${composerText}`
}

export function removeSentText(sentText: string, composerText: string): string {
  return startsWithText(composerText, sentText)
    ? composerText.trim().slice(sentText.trim().length).trimStart()
    : composerText
}

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
