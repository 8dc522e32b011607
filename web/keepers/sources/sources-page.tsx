import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { AgentText, DocumentText } from '#web/agents/agent-text.tsx'
import { ApiError } from '#web/api/api.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { EntryListSkeleton, EntryLoadError } from '../entries/entry-parts.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { SourceList } from './source-list.tsx'
import { SourceMarkdown } from './source-markdown.ts'
import { useOneSource } from './source-queries.ts'
import { SourceReader } from './source-reader.tsx'

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

interface OpenedSourceProps {
  keeper: Keeper
  id: string
  messageId: string | null
  words: string
}

function OpenedSource({ keeper, id, messageId, words }: OpenedSourceProps) {
  const [isDeleting, setIsDeleting] = useState(false)
  const { data, error, refetch, isRefetching } = useOneSource(keeper, id, isDeleting)
  const listPath = `/keeper/${encodeURIComponent(keeper.id)}/sources`
  if (data)
    return (
      <SourceReader
        source={data}
        openedId={messageId}
        openedWords={words}
        listPath={listPath}
        onDeleting={setIsDeleting}
      />
    )
  if (!error) return <EntryListSkeleton />
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyPanel
        drawing="drawer"
        title="This source isn’t here"
        action={<LinkButton to={listPath}>Show the others</LinkButton>}
      >
        The source may have been deleted. Look in Recently deleted (kept for 30 days).
      </EmptyPanel>
    )
  return (
    <>
      <LinkButton to={listPath} variant="plain" size="small" icon={<ArrowLeft aria-hidden size={14} />}>
        All sources
      </LinkButton>
      <EntryLoadError title="Failed to fetch source" reason={error} onRetry={() => refetch()} retrying={isRefetching} />
    </>
  )
}
