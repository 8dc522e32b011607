import { type ComponentType, useEffect, useState } from 'react'
import { StreamingText } from '#web/ui/text/streaming-text.tsx'
import type { WrittenTextProps } from '#web/ui/text/written-text.tsx'
import { PlainText } from '#web/ui/text/written-text.tsx'
import type { MarkdownTextProps } from './chat/markdown-text.tsx'

let markdownText: ComponentType<MarkdownTextProps> | undefined

async function loadMarkdownText() {
  markdownText ??= (await import('./chat/markdown-text.tsx')).default
  return markdownText
}

/** Plain text until the Markdown renderer is loaded, which may fail offline. */
function RenderedText(props: MarkdownTextProps) {
  const { text, author, streaming } = props
  const [Markdown, setMarkdown] = useState(() => markdownText)
  useEffect(() => {
    loadMarkdownText().then(
      (loaded) => setMarkdown(() => loaded),
      // Plain text stays; the next text retries.
      () => undefined,
    )
  }, [])
  if (Markdown) return <Markdown {...props} />
  return streaming || author === 'document' ? (
    <StreamingText text={text} streaming={streaming} />
  ) : (
    <PlainText text={text} />
  )
}

/** The answer of a model. */
export function AgentText({
  streaming = false,
  ...props
}: Pick<MarkdownTextProps, 'text' | 'notes'> & { streaming?: boolean }) {
  return <RenderedText author="agent" streaming={streaming} {...props} />
}

/** The text of a person, whose line breaks are kept. Most of it needs no Markdown. */
export function PersonText({ text, isByReader }: WrittenTextProps) {
  if (isUnmarkedText(text)) return <PlainText text={text} />
  return <RenderedText author={isByReader ? 'reader' : 'person'} text={text} streaming={false} />
}

const plainTextPattern = /^[\p{L}\p{M}\p{N} \n.,;:?'"“”„‘’‚«»…–—()%-]+$/u
const listOrAddressPattern = /^ *([-:]|\d+[.)])|www\./im

/** Whether Markdown would show the text unchanged. */
export const isUnmarkedText = (text: string) => plainTextPattern.test(text) && !listOrAddressPattern.test(text)

/** A Markdown file: CommonMark. */
export function DocumentText({ text }: { text: string }) {
  return <RenderedText author="document" text={text} streaming={false} />
}
