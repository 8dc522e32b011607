import { useSearchParams } from 'react-router'
import { AgentText, DocumentText } from '#web/agents/agent-text.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { OpenedSource } from './opened-source.tsx'
import { SourceList } from './source-list.tsx'
import { SourceMarkdown } from './source-markdown.ts'

const markdown = { Message: AgentText, Document: DocumentText }

/** `?source=` opens one, `&message=` at a message, as kept quotes link to it, and `&words=` marks words. */
export function SourcesPage() {
  const [params] = useSearchParams()
  const id = params.get('source')
  return (
    <KeeperFrame
      pageName="Sources"
      getSubtitle={() =>
        'Conversations and documents you brought along. Nothing here is memory until you keep a quote.'
      }
    >
      {(keeper, demo) =>
        id && !demo ? (
          <SourceMarkdown value={markdown}>
            <OpenedSource
              key={`${id} ${params.get('message')} ${params.get('words')}`}
              keeper={keeper}
              id={id}
              messageId={params.get('message')}
              words={params.get('words') ?? ''}
            />
          </SourceMarkdown>
        ) : (
          <SourceList key={keeper.id} keeper={keeper} />
        )
      }
    </KeeperFrame>
  )
}
