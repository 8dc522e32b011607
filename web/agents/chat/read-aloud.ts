import { useCallback, useEffect, useRef, useState } from 'react'
import { finishedLength, spokenText } from './finished-sentences.ts'

/** Browsers cut off longer utterances. */
const longestPiece = 240

/** Chunks of whole sentences; overlong sentences are cut between words. */
export function spokenPieces(markdown: string): string[] {
  const pieces: string[] = []
  const end = markdown.trimEnd().length
  let at = 0
  while (at < end) {
    const rest = markdown.slice(at)
    const head = rest.slice(0, longestPiece)
    const cut =
      rest.length <= longestPiece ? rest.length : finishedLength(head) || head.lastIndexOf(' ') + 1 || head.length
    const piece = spokenText(rest.slice(0, cut))
    if (piece) pieces.push(piece)
    at += cut
  }
  return pieces
}

/** Reads one answer at a time; stops when the page is left. */
export function useReadAloud() {
  const isAvailable = 'speechSynthesis' in window
  const [readingKey, setReadingKey] = useState<string>()
  const reading = useRef<string>(undefined)

  const silence = useCallback(() => {
    reading.current = undefined
    setReadingKey(undefined)
    if (isAvailable) speechSynthesis.cancel()
  }, [isAvailable])

  const toggle = useCallback(
    (key: string, text: string) => {
      const wasReading = reading.current === key
      silence()
      const pieces = spokenPieces(text)
      if (wasReading || pieces.length === 0) return
      reading.current = key
      setReadingKey(key)
      for (const [index, piece] of pieces.entries()) {
        const utterance = new SpeechSynthesisUtterance(piece)
        const ends = () => reading.current === key && silence()
        if (index === pieces.length - 1) utterance.onend = ends
        utterance.onerror = ends
        speechSynthesis.speak(utterance)
      }
    },
    [silence],
  )

  useEffect(() => {
    addEventListener('pagehide', silence)
    return () => {
      removeEventListener('pagehide', silence)
      silence()
    }
  }, [silence])

  return { isAvailable, readingKey, toggle, silence }
}
