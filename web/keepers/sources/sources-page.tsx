import { useQuery } from '@tanstack/react-query'
import { FileText, MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getSourceTitle, type Source, type SourceSummary, sourceAppNames, sources } from '#contract/keepers/sources.ts'
import { AgentText, DocumentText } from '#web/agents/agent-text.tsx'
import { call, callEnvelope, isNotFound } from '#web/api/api.ts'
import { usePages } from '#web/queries/use-pages.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { BackLink } from '#web/ui/panels/page-header.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { EntryListStatus } from '../entries/entry-parts.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { keeperKey } from '../keeper-queries.ts'
import { SourceMarkdownContext } from './source-message.tsx'
import { SourceReader } from './source-reader.tsx'

const markdown = { Message: AgentText, Document: DocumentText }

/** `?source=` opens one, `&message=` at a message, as kept quotes link to it, and `&words=` marks words. */
export function SourcesPage() {
  const [params] = useSearchParams()
  const id = params.get('source')
  return (
    <KeeperFrame
      pageName="Sources"
      subtitle="Conversations and documents you imported or added. Nothing here is memory until you keep a quote."
    >
      {(keeper, isDemo) =>
        id && !isDemo ? (
          <SourceMarkdownContext value={markdown}>
            <OpenedSource
              key={`${id} ${params.get('message')} ${params.get('words')}`}
              keeper={keeper}
              id={id}
              messageId={params.get('message')}
              quotedText={params.get('words') ?? ''}
            />
          </SourceMarkdownContext>
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
  quotedText: string
}

function OpenedSource({ keeper, id, messageId, quotedText }: OpenedSourceProps) {
  const [isDeleting, setIsDeleting] = useState(false)
  const query = useOneSource(keeper, id, isDeleting)
  const { data: source } = query
  const listPath = `/keeper/${encodeURIComponent(keeper.id)}/sources`
  if (source)
    return (
      <SourceReader
        source={source}
        openedId={messageId}
        quotedText={quotedText}
        listPath={listPath}
        onDeletingChange={setIsDeleting}
      />
    )
  if (isNotFound(query.error))
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
      <BackLink to={listPath} size="small">
        All sources
      </BackLink>
      <EntryListStatus title="Failed to fetch source" query={query} />
    </>
  )
}

const typingPauseMs = 250
const maxSourceSearchLength = 200

function SourceList({ keeper }: { keeper: Keeper }) {
  const [searchText, setSearchText] = useState('')
  const q = useDebouncedText(searchText.trim(), typingPauseMs)
  const query = useSources(keeper, q)
  const { data, items } = query
  if (data && items.length === 0 && q === '' && searchText === '')
    return (
      <EmptyPanel
        drawing="drawer"
        title="No sources yet"
        action={<LinkButton to="/keeper/transfer">Export and import</LinkButton>}
      >
        Upload the export of ChatGPT or Claude to read and search your conversations here, or keep a document of your
        library on the server.
      </EmptyPanel>
    )
  return (
    <>
      <div data-chrome className="mb-5 max-w-[28rem]">
        <SearchField
          label="Search sources"
          value={searchText}
          maxLength={maxSourceSearchLength}
          onValueChange={setSearchText}
        />
      </div>
      <EntryListStatus title="Failed to fetch sources" query={query} />
      {data && items.length === 0 && (
        <EmptyPanel title="Nothing found">No source has these words. Try fewer or other ones.</EmptyPanel>
      )}
      <ul aria-label="Sources" className="flex max-w-[46rem] flex-col divide-y divide-border">
        {items.map((source) => (
          <li key={source.id}>
            <SourceRow source={source} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && <ShowMore {...query} className="mt-5" />}
    </>
  )
}

function SourceRow({ source }: { source: SourceSummary }) {
  const { kind, sourceKind, occurredAt, messageCount, agentsMayQuote, excerpt } = source
  const Icon = kind === 'conversation' ? MessagesSquare : FileText
  const app = sourceAppNames[sourceKind ?? '']
  return (
    <Link
      to={getEntryPath({ entity: 'source', keeperId: source.keeperId, id: source.id })}
      className="-mx-2 flex gap-3 rounded-md px-2 py-3 hover:bg-muted"
    >
      <Icon aria-hidden size={17} className="mt-1 shrink-0 text-muted-foreground" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-serif text-[1.125rem] leading-[1.625rem] font-medium">
          {getSourceTitle(source)}
        </span>
        <span className="block text-small text-muted-foreground">
          {app && `${app} · `}
          <Time value={occurredAt} />
          {kind === 'conversation' && ` · ${pluralize(messageCount, 'message')}`}
          {agentsMayQuote && ' · Agents can quote it'}
        </span>
        {excerpt && (
          <span dir="auto" className="mt-0.5 line-clamp-2 text-ui text-muted-foreground">
            {excerpt}
          </span>
        )}
      </span>
    </Link>
  )
}

/** Newest first. */
const useSources = (keeper: Keeper, q: string) =>
  usePages<SourceSummary>(keeperKey(keeper.id, 'source', 'list', q), (page, signal) =>
    callEnvelope(sources.list, { params: { id: keeper.id }, query: { ...(q && { q }), ...page }, signal }),
  )

/** Stops fetching while the source is being deleted. @throws ApiError 404, also for a source of another keeper */
const useOneSource = (keeper: Keeper, id: string, isDeleting: boolean) =>
  useQuery<Source>({
    enabled: !isDeleting,
    queryKey: keeperKey(keeper.id, 'source', 'one', id),
    queryFn: ({ signal }) => call(sources.show, { params: { id }, signal }),
    retry: false,
  })
