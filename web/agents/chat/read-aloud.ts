import { useCallback, useEffect, useRef, useState } from 'react'

/** Browsers cut off longer utterances. */
const maxChunkLength = 240

export function splitForSpeech(markdown: string): string[] {
  const chunks: string[] = []
  const end = markdown.trimEnd().length
  let offset = 0
  while (offset < end) {
    const remaining = markdown.slice(offset)
    const candidate = remaining.slice(0, maxChunkLength)
    const cutLength =
      remaining.length <= maxChunkLength
        ? remaining.length
        : getFinishedSentencesLength(candidate) || candidate.lastIndexOf(' ') + 1 || candidate.length
    const chunk = toSpokenText(remaining.slice(0, cutLength))
    if (chunk) chunks.push(chunk)
    offset += cutLength
  }
  return chunks
}

export function useReadAloud() {
  const isAvailable = 'speechSynthesis' in window
  const [readingKey, setReadingKey] = useState<string>()
  const currentKeyRef = useRef<string>(undefined)

  const silence = useCallback(() => {
    currentKeyRef.current = undefined
    setReadingKey(undefined)
    if (isAvailable) speechSynthesis.cancel()
  }, [isAvailable])

  const toggle = useCallback(
    (key: string, text: string) => {
      const wasReading = currentKeyRef.current === key
      silence()
      const chunks = splitForSpeech(text)
      if (wasReading || chunks.length === 0) return
      currentKeyRef.current = key
      setReadingKey(key)
      for (const [index, chunk] of chunks.entries()) {
        const utterance = new SpeechSynthesisUtterance(chunk)
        const handleEnd = () => {
          if (currentKeyRef.current === key) silence()
        }
        if (index === chunks.length - 1) utterance.onend = handleEnd
        utterance.onerror = handleEnd
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

export function getFinishedSentencesLength(text: string): number {
  let end = 0
  for (const match of text.matchAll(/[.!?…:]["'”’)*_`]*\s|\n/g)) end = match.index + match[0].length
  return end
}

const blockOrInlineMarkPattern = /^[#>\s-]+|[*_`~|]+/gm

export function toSpokenText(markdown: string): string {
  return transformUpToLast(markdown, ')', removeLinkAddresses)
    .replace(blockOrInlineMarkPattern, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Also consumes brackets that aren't links, so that they aren't rescanned. */
function removeLinkAddresses(markdown: string): string {
  return markdown.replace(/!?\[([^\]]*)(?:\]|$)(\([^)]*\))?/g, (wholeMatch, linkText: string, address?: string) =>
    address === undefined ? wholeMatch : linkText,
  )
}

/** Transforms the text up to the last `marker`. A pattern ending in `marker` would rescan the tail for each start (quadratic time). */
function transformUpToLast(text: string, marker: string, transform: (text: string) => string): string {
  const end = text.lastIndexOf(marker) + 1
  return transform(text.slice(0, end)) + text.slice(end)
}
