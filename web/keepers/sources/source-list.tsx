import { FileText, MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getSourceTitle, type SourceSummary, sourceAppNames } from '#contract/keepers/sources.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { EntryListSkeleton, EntryLoadError } from '../entries/entry-parts.tsx'
import { useSources } from './source-queries.ts'

const typingPauseMs = 250
const maxSearchLength = 200

export function SourceList({ keeper }: { keeper: Keeper }) {
  const [search, setSearch] = useState('')
  const q = useDebouncedText(search.trim(), typingPauseMs)
  const open = useSources(keeper, q)
  const { items, isPending, error, refetch, isRefetching, hasNextPage } = open
  if (!isPending && !error && items.length === 0 && q === '' && search === '')
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
        <SearchField label="Search sources" value={search} maxLength={maxSearchLength} onValueChange={setSearch} />
      </div>
      {isPending && <EntryListSkeleton />}
      {!isPending && error && items.length === 0 && (
        <EntryLoadError
          title="Failed to fetch sources"
          reason={error}
          onRetry={() => refetch()}
          retrying={isRefetching}
        />
      )}
      {!isPending && !error && items.length === 0 && (
        <EmptyPanel title="Nothing found">No source has these words. Try fewer or other ones.</EmptyPanel>
      )}
      <ul aria-label="Sources" className="flex max-w-[46rem] flex-col divide-y divide-border">
        {items.map((source) => (
          <li key={source.id}>
            <SourceRow source={source} />
          </li>
        ))}
      </ul>
      {hasNextPage && <ShowMore {...open} className="mt-5" />}
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
        <span dir="auto" className="block truncate font-serif text-[18px] leading-[26px] font-medium">
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
