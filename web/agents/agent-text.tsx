import { type ComponentType, useEffect, useState } from 'react'
import { StreamingText } from '#web/ui/streaming-text.tsx'
import type { MarkdownTextProps } from './chat/markdown-text.tsx'

let markdownText: ComponentType<MarkdownTextProps> | undefined

async function loadMarkdownText() {
  markdownText ??= (await import('./chat/markdown-text.tsx')).default
  return markdownText
}

/** Plain text until the Markdown renderer is loaded, which may fail offline. */
export function AgentText({
  text,
  streaming = false,
  notes,
  ...markdownProps
}: Pick<MarkdownTextProps, 'text' | 'notes' | 'isOwnText' | 'commonMark'> & { streaming?: boolean }) {
  const [Markdown, setMarkdown] = useState(() => markdownText)
  useEffect(() => {
    let isUnmounted = false
    loadMarkdownText().then(
      (loaded) => !isUnmounted && setMarkdown(() => loaded),
      // Plain text stays; the next text retries.
      () => undefined,
    )
    return () => {
      isUnmounted = true
    }
  }, [])
  if (!Markdown) return <StreamingText text={text} streaming={streaming} />
  return <Markdown text={text} streaming={streaming} notes={notes} {...markdownProps} />
}

/** The reader's own text: links show no target. */
export function ReaderText({ text }: { text: string }) {
  return <AgentText text={text} isOwnText />
}

export function DocumentText({ text }: { text: string }) {
  return <AgentText text={text} commonMark />
}
