import { useEffect, useRef, useState } from 'react'
import type { ChatEntry } from './chat-entries.ts'
import { getFinishedSentencesLength, toSpokenText } from './read-aloud.ts'

export function SentenceAnnouncer({ entry }: { entry: ChatEntry | undefined }) {
  const announcedRef = useRef({ key: '', announcedLength: 0, running: false })
  const [sentence, setSentence] = useState('')
  const key = entry?.key ?? ''
  const content = entry?.content ?? ''
  const running = entry?.status === 'running'
  const stopped = entry?.status === 'stopped'

  useEffect(() => {
    if (announcedRef.current.key !== key) {
      // An answer that was already finished isn't announced.
      announcedRef.current = { key, announcedLength: running ? 0 : content.length, running }
    }
    const { announcedLength: startIndex, running: wasRunning } = announcedRef.current
    const endIndex = Math.max(startIndex, running ? getFinishedSentencesLength(content) : content.length)
    announcedRef.current = { key, announcedLength: endIndex, running }
    const newText = toSpokenText(content.slice(startIndex, endIndex))
    const stopNotice = wasRunning && stopped ? 'Stopped.' : ''
    if (newText || stopNotice) setSentence([newText, stopNotice].filter(Boolean).join(' '))
  }, [key, content, running, stopped])

  return (
    <div aria-live="polite" className="sr-only">
      {sentence}
    </div>
  )
}
