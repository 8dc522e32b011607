import { useEffect, useRef, useState } from 'react'
import type { ChatEntry } from './chat-entry.ts'
import { getFinishedLength, toSpokenText } from './finished-sentences.ts'

export function SentenceAnnouncer({ entry }: { entry: ChatEntry | undefined }) {
  const announced = useRef({ key: '', length: 0, running: false })
  const [sentence, setSentence] = useState('')
  const key = entry?.key ?? ''
  const content = entry?.content ?? ''
  const running = entry?.status === 'running'
  const stopped = entry?.status === 'stopped'

  useEffect(() => {
    if (announced.current.key !== key) {
      // Text from before the page listened isn't announced.
      announced.current = { key, length: running ? 0 : content.length, running }
    }
    const { length: from, running: wasRunning } = announced.current
    const end = Math.max(from, running ? getFinishedLength(content) : content.length)
    announced.current = { key, length: end, running }
    const newText = toSpokenText(content.slice(from, end))
    const stopNotice = wasRunning && stopped ? 'Stopped.' : ''
    if (newText || stopNotice) setSentence([newText, stopNotice].filter(Boolean).join(' '))
  }, [key, content, running, stopped])

  return (
    <div aria-live="polite" className="sr-only">
      {sentence}
    </div>
  )
}
