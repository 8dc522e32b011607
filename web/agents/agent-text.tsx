import { type ComponentType, useEffect, useState } from 'react'
import { StreamingText } from '#web/ui/streaming-text.tsx'
import type { MarkdownTextProps } from './chat/markdown-text.tsx'

let markdownText: ComponentType<MarkdownTextProps> | undefined

async function loadMarkdownText() {
  markdownText ??= (await import('./chat/markdown-text.tsx')).default
  return markdownText
}

/** Plain words until what renders Markdown is there, which without a server may be never. */
export function AgentText({
  text,
  streaming = false,
  notes,
  ...kind
}: Pick<MarkdownTextProps, 'text' | 'notes' | 'own' | 'commonMark'> & { streaming?: boolean }) {
  const [Markdown, setMarkdown] = useState(() => markdownText)
  useEffect(() => {
    let left = false
    loadMarkdownText().then(
      (loaded) => !left && setMarkdown(() => loaded),
      // The words stand there plainly; the next text tries again.
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [])
  if (!Markdown) return <StreamingText text={text} streaming={streaming} />
  return <Markdown text={text} streaming={streaming} notes={notes} {...kind} />
}

/** What the reader wrote: links stand there without where they lead. */
export function OwnText({ text }: { text: string }) {
  return <AgentText text={text} own />
}

/** A document, by the rules of CommonMark. */
export function DocumentText({ text }: { text: string }) {
  return <AgentText text={text} commonMark />
}
