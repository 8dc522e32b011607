import { useEffect, useRef, useState } from 'react'
import type { ChatEntry } from './chat-entry.ts'
import { finishedLength, spokenText } from './finished-sentences.ts'

/** Reads an answer out sentence by sentence, not word by word. */
export function SentenceAnnouncer({ entry }: { entry: ChatEntry | undefined }) {
  const told = useRef({ key: '', length: 0 })
  const [sentence, setSentence] = useState('')
  const key = entry?.key ?? ''
  const content = entry?.content ?? ''
  const running = entry?.status === 'running'

  useEffect(() => {
    if (told.current.key !== key) {
      // What stood there before the page began to listen is not read out again.
      told.current = { key, length: running ? 0 : content.length }
    }
    const end = running ? finishedLength(content) : content.length
    if (end <= told.current.length) return
    setSentence(spokenText(content.slice(told.current.length, end)))
    told.current.length = end
  }, [key, content, running])

  return (
    <div aria-live="polite" className="sr-only">
      {sentence}
    </div>
  )
}
