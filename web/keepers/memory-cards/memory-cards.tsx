import { X } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { SearchedByMeaning } from '#contract/keepers/memory-cards.ts'
import { ApiError } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { DemoNote, EntryListHeader, EntryListSkeleton, EntryLoadError } from '../entries/entry-parts.tsx'
import { useScrollToOpened } from '../entries/use-scroll-to-opened.ts'
import { CardGrid } from './card-grid.tsx'
import { CardGroupsView } from './card-groups.tsx'
import { CardItem } from './card-item.tsx'
import { useCard, useCardPages, useCardSearch, useCardStatus, useCards } from './card-queries.ts'
import { fetchFailedMessage } from './cards-backend.ts'
import { EmbeddingPanel } from './embedding-panel.tsx'
import { CardTopicFilter } from './topic-chips.tsx'

const typingPauseMs = 250

type CardsView = 'all' | 'pending' | 'topics'

/** The URL holds the state: `topic`, `view`, `q`, `card`. */
export function MemoryCards() {
  const { keeper, demo } = useCards()
  const [searchParams, setSearchParams] = useSearchParams()
  const status = useCardStatus()
  const topic = searchParams.get('topic') ?? ''
  const view = toView(searchParams.get('view'))
  const openedId = searchParams.get('card')
  const searchQuery = searchParams.get('q')?.trim() ?? ''
  const updateSearchParams = (changes: Record<string, string>) =>
    setSearchParams(
      (previous) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') previous.delete(name)
          else previous.set(name, value)
        }
        return previous
      },
      { replace: true },
    )
  const search = useDebouncedInput(searchQuery, (text) => updateSearchParams({ q: text }))

  if (!status.data)
    return status.error ? (
      <EntryLoadError
        title={fetchFailedMessage}
        reason={status.error}
        onRetry={() => status.refetch()}
        retrying={status.isRefetching}
      />
    ) : (
      <EntryListSkeleton />
    )
  const { total, embedded, topics } = status.data
  return (
    <>
      {demo && <DemoNote />}
      <EntryListHeader
        stats={[
          { label: 'Total Cards', value: total },
          { label: 'Embedded', value: embedded },
          { label: 'Topics', value: topics.length },
        ]}
      >
        {topics.length > 0 && searchQuery === '' && view !== 'topics' && (
          <CardTopicFilter
            topics={topics}
            value={topic}
            onValueChange={(next) => updateSearchParams({ topic: next })}
          />
        )}
      </EntryListHeader>
      {total === 0 ? (
        <NoCardsYet keeperId={keeper.id} />
      ) : (
        <>
          <search data-chrome className="mb-4 flex flex-wrap items-center gap-3">
            <div className="min-w-0 flex-1 basis-72">
              <SearchField
                label="Search by words and by meaning"
                maxLength={500}
                value={search.value}
                onValueChange={search.set}
              />
            </div>
            <SegmentedControl<CardsView>
              label="Show"
              value={view}
              onValueChange={(next) => updateSearchParams({ view: next === 'all' ? '' : next, topic: '' })}
              options={[
                { value: 'all', label: 'All' },
                { value: 'pending', label: 'Pending' },
                { value: 'topics', label: 'By topic' },
              ]}
            />
          </search>
          <EmbeddingPanel status={status.data} />
          {openedId && <OpenedCard key={openedId} id={openedId} onClose={() => updateSearchParams({ card: '' })} />}
          {searchQuery !== '' ? (
            <CardSearchResultList query={searchQuery} />
          ) : view === 'topics' ? (
            <CardGroupsView onTopic={(next) => updateSearchParams({ view: '', topic: next })} />
          ) : (
            <CardPages topic={topic} pending={view === 'pending'} />
          )}
        </>
      )}
    </>
  )
}

function CardPages({ topic, pending }: { topic: string; pending: boolean }) {
  const pages = useCardPages({ topic, pending })
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = pages
  if (!pages.data)
    return pages.error ? (
      <EntryLoadError
        title={fetchFailedMessage}
        reason={pages.error}
        onRetry={() => pages.refetch()}
        retrying={pages.isRefetching}
      />
    ) : (
      <EntryListSkeleton />
    )
  const cards = pages.data.pages.flatMap(({ items }) => items)
  if (cards.length === 0)
    return (
      <EmptyPanel drawing="drawer" title={pending ? 'Nothing pending' : 'No cards here'}>
        {pending ? 'Every card is embedded.' : 'No cards on this topic.'}
      </EmptyPanel>
    )
  return (
    <CardGrid
      label="Memory cards"
      cards={cards}
      hasMore={hasNextPage}
      fetching={pages.isFetching}
      loadingMore={isFetchingNextPage}
      failedMore={isFetchNextPageError}
      onMore={fetchNextPage}
    />
  )
}

function NoCardsYet({ keeperId }: { keeperId: string }): ReactNode {
  return (
    <EmptyPanel
      drawing="drawer"
      title="No memory cards yet"
      action={
        <LinkButton to={`/keeper/${encodeURIComponent(keeperId)}/reflection-journal?tab=suggested`}>
          Review suggestions
        </LinkButton>
      }
    >
      Write a reflection and let a day pass. If it still matters then, keep it as a card.
    </EmptyPanel>
  )
}

function toView(value: string | null): CardsView {
  return value === 'pending' || value === 'topics' ? value : 'all'
}

/** Reports typed text after a pause. A change of the URL takes precedence over unsaved typing. */
function useDebouncedInput(urlValue: string, onPause: (text: string) => void) {
  const [typed, setTyped] = useState({ reportedValue: urlValue, value: urlValue })
  const value = typed.reportedValue === urlValue ? typed.value : urlValue
  if (typed.reportedValue !== urlValue)
    setTyped({ reportedValue: urlValue, value: typed.value.trim() === urlValue ? typed.value : urlValue })
  const deferredValue = useDeferredValue(value)
  useEffect(() => {
    if (deferredValue.trim() === urlValue) return
    const timer = setTimeout(() => onPause(deferredValue.trim()), typingPauseMs)
    return () => clearTimeout(timer)
  }, [deferredValue, urlValue, onPause])
  return { value, set: (next: string) => setTyped({ reportedValue: urlValue, value: next }) }
}

function OpenedCard({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: card, error, refetch, isRefetching } = useCard(id)
  const [expanded, setExpanded] = useState(true)
  const sectionRef = useScrollToOpened<HTMLElement>(id, card !== undefined)
  if (!card) {
    if (!error) return <Skeleton className="mb-6 h-40" />
    if (error instanceof ApiError && error.status !== 404)
      return (
        <EntryLoadError
          title="Failed to fetch memory card"
          reason={error}
          onRetry={() => refetch()}
          retrying={isRefetching}
        />
      )
    return (
      <EmptyPanel drawing="drawer" title="Card not found" action={<Button onClick={onClose}>Show all cards</Button>}>
        The card may have been deleted. Look in Recently deleted (kept for 30 days).
      </EmptyPanel>
    )
  }
  return (
    <section
      ref={sectionRef}
      tabIndex={-1}
      aria-label="Opened card"
      className="mb-6 max-w-[46rem] rounded-xs outline-offset-4"
    >
      <CardItem card={card} expanded={expanded} onExpandedChange={setExpanded} isHighlighted />
      <Button
        data-chrome
        className="mt-2"
        size="small"
        variant="plain"
        icon={<X aria-hidden size={13} />}
        onClick={onClose}
      >
        Close
      </Button>
    </section>
  )
}

function CardSearchResultList({ query }: { query: string }) {
  const { data, error, refetch, isRefetching, isPlaceholderData } = useCardSearch(query)
  if (!data)
    return error ? (
      <EntryLoadError
        title="Failed to search memory cards"
        reason={error}
        onRetry={() => refetch()}
        retrying={isRefetching}
      />
    ) : (
      <EntryListSkeleton />
    )
  const { results, meaning } = data
  return (
    <div aria-busy={isPlaceholderData}>
      <p role="status" className="mb-3 text-small text-muted-foreground">
        {results.length === 0
          ? 'No cards match.'
          : `${results.length} ${results.length === 1 ? 'card matches' : 'cards match'}, best first.`}
      </p>
      <WordSearchNotice meaning={meaning} />
      {results.length === 0 ? (
        <EmptyPanel drawing="drawer" title="Nothing found">
          {meaning?.lexical
            ? 'Try other words: without a provider key, cards are found by their words alone.'
            : 'Try other words.'}
        </EmptyPanel>
      ) : (
        <CardGrid
          key={query}
          label="Found memory cards"
          cards={results.map(({ card }) => card)}
          matchesById={new Map(results.map((result) => [result.card.id, result]))}
        />
      )}
    </div>
  )
}

function WordSearchNotice({ meaning }: { meaning: SearchedByMeaning | undefined }) {
  if (!meaning || meaning.searched) return null
  return (
    <Banner tone="warning" className="mb-4">
      Found by words only. {meaning.reason}
    </Banner>
  )
}
