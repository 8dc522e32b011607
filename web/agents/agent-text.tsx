import { lazy, Suspense } from 'react'
import { StreamingText } from '#web/ui/streaming-text.tsx'
import type { MarkdownTextProps } from './chat/markdown-text.tsx'

const MarkdownText = lazy(() => import('./chat/markdown-text.tsx'))

/** Plain words until what renders Markdown is there. */
export function AgentText({
  text,
  streaming = false,
  notes,
}: Pick<MarkdownTextProps, 'text' | 'notes'> & { streaming?: boolean }) {
  return (
    <Suspense fallback={<StreamingText text={text} streaming={streaming} />}>
      <MarkdownText text={text} streaming={streaming} notes={notes} />
    </Suspense>
  )
}
