import { useEffect, useRef, useState } from 'react'
import type { ChatEntry } from './chat-entry.ts'
import { finishedLength, spokenText } from './finished-sentences.ts'

/** Announces finished sentences instead of words. */
export function SentenceAnnouncer({ entry }: { entry: ChatEntry | undefined }) {
  const told = useRef({ key: '', length: 0, running: false })
  const [sentence, setSentence] = useState('')
  const key = entry?.key ?? ''
  const content = entry?.content ?? ''
  const running = entry?.status === 'running'
  const stopped = entry?.status === 'stopped'

  useEffect(() => {
    if (told.current.key !== key) {
      // Text from before the page listened isn't announced.
      told.current = { key, length: running ? 0 : content.length, running }
    }
    const { length: from, running: wasRunning } = told.current
    const end = Math.max(from, running ? finishedLength(content) : content.length)
    told.current = { key, length: end, running }
    const rest = spokenText(content.slice(from, end))
    const ending = wasRunning && stopped ? 'Stopped.' : ''
    if (rest || ending) setSentence([rest, ending].filter(Boolean).join(' '))
  }, [key, content, running, stopped])

  return (
    <div aria-live="polite" className="sr-only">
      {sentence}
    </div>
  )
}
