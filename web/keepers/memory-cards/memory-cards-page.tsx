import { Check } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import type { EmbeddingStatus, MeaningSearchInfo } from '#contract/keepers/memory-cards.ts'
import { useAddressParams } from '#web/page/use-address-params.ts'
import { chipClasses, FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { PrintButton } from '#web/ui/controls/print-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { DemoNote, EntryListHeader, EntryListStatus } from '../entries/entry-parts.tsx'
import { OpenedEntry } from '../entries/opened-entry.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { CardGrid, CardGroupsView } from './card-grid.tsx'
import { CardItem } from './card-item.tsx'
import { fetchFailedMessage, useCard, useCardPages, useCardSearch, useCardStatus } from './card-queries.ts'
import { EmbeddingPanel } from './embedding-panel.tsx'

/** `?card=` opens one card, as citations link to it. */
export function MemoryCardsPage() {
  return (
    <KeeperFrame
      pageName="Memory Cards"
      renderActions={() => <PrintButton iconOnPhone />}
      subtitle="Memories you chose to keep. Your keeper can recall anything that is embedded."
    >
      {(keeper, isDemo) => <MemoryCards key={keeper.id} keeperId={keeper.id} isDemo={isDemo} />}
    </KeeperFrame>
  )
}

const typingPauseMs = 250

type CardsView = 'all' | 'pending' | 'topics'

/** The URL holds the state: `topic`, `view`, `q`, `card`. */
function MemoryCards({ keeperId, isDemo }: { keeperId: string; isDemo: boolean }) {
  const [searchParams, updateSearchParams] = useAddressParams({ replace: true })
  const status = useCardStatus(keeperId)
  const topic = searchParams.get('topic') ?? ''
  const view = toView(searchParams.get('view'))
  const openedId = searchParams.get('card')
  const searchQuery = searchParams.get('q')?.trim() ?? ''
  const search = useDebouncedInput(searchQuery, (text) => updateSearchParams({ q: text }))

  if (!status.data) return <EntryListStatus title={fetchFailedMessage} query={status} />
  const { total, embedded, topics } = status.data
  return (
    <>
      {isDemo && <DemoNote />}
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
        <NoCardsYet keeperId={keeperId} />
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
          <EmbeddingPanel keeperId={keeperId} status={status.data} />
          {openedId && (
            <OpenedCard
              key={openedId}
              keeperId={keeperId}
              id={openedId}
              onClose={() => updateSearchParams({ card: '' })}
            />
          )}
          {searchQuery !== '' && <CardSearchResultList keeperId={keeperId} query={searchQuery} />}
          {searchQuery === '' && view === 'topics' && (
            <CardGroupsView keeperId={keeperId} openTopic={(next) => updateSearchParams({ view: '', topic: next })} />
          )}
          {searchQuery === '' && view !== 'topics' && (
            <CardPages keeperId={keeperId} topic={topic} onlyPending={view === 'pending'} />
          )}
        </>
      )}
    </>
  )
}

function CardPages({ keeperId, topic, onlyPending }: { keeperId: string; topic: string; onlyPending: boolean }) {
  const pages = useCardPages(keeperId, { topic, onlyPending })
  if (!pages.data) return <EntryListStatus title={fetchFailedMessage} query={pages} />
  const cards = pages.items
  if (cards.length === 0)
    return (
      <EmptyPanel drawing="drawer" title={onlyPending ? 'Nothing pending' : 'No cards here'}>
        {onlyPending ? 'Every card is embedded.' : 'No cards on this topic.'}
      </EmptyPanel>
    )
  return <CardGrid label="Memory cards" cards={cards} list={pages} />
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
  const [input, setInput] = useState({ reportedValue: urlValue, value: urlValue })
  const value = input.reportedValue === urlValue ? input.value : urlValue
  if (input.reportedValue !== urlValue)
    setInput({ reportedValue: urlValue, value: input.value.trim() === urlValue ? input.value : urlValue })
  const deferredValue = useDeferredValue(value)
  useEffect(() => {
    if (deferredValue.trim() === urlValue) return
    const timer = setTimeout(() => onPause(deferredValue.trim()), typingPauseMs)
    return () => clearTimeout(timer)
  }, [deferredValue, urlValue, onPause])
  return { value, set: (next: string) => setInput({ reportedValue: urlValue, value: next }) }
}

function OpenedCard({ keeperId, id, onClose }: { keeperId: string; id: string; onClose: () => void }) {
  const query = useCard(keeperId, id)
  const [isExpanded, setExpanded] = useState(true)
  return (
    <OpenedEntry
      id={id}
      query={query}
      noun="card"
      drawing="drawer"
      status={<EntryListStatus title="Failed to fetch memory card" query={query} />}
      className="mb-6 max-w-[46rem] rounded-xs outline-offset-4"
      onClose={onClose}
    >
      {(card) => <CardItem card={card} isExpanded={isExpanded} onExpandedChange={setExpanded} isHighlighted />}
    </OpenedEntry>
  )
}

function CardSearchResultList({ keeperId, query }: { keeperId: string; query: string }) {
  const search = useCardSearch(keeperId, query)
  const { data, isPlaceholderData } = search
  if (!data) return <EntryListStatus title="Failed to search memory cards" query={search} />
  const { results, meaning } = data
  return (
    <div aria-busy={isPlaceholderData}>
      <p role="status" className="mb-3 text-small text-muted-foreground">
        {results.length === 0
          ? 'No cards match.'
          : `${pluralize(results.length, 'card matches', 'cards match')}, best first.`}
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
          label="Matching memory cards"
          cards={results.map(({ card }) => card)}
          matchesById={new Map(results.map((result) => [result.card.id, result]))}
        />
      )}
    </div>
  )
}

function WordSearchNotice({ meaning }: { meaning: MeaningSearchInfo | undefined }) {
  if (!meaning || meaning.searched) return null
  return (
    <Banner tone="warning" className="mb-4">
      Found by words only. {meaning.reason}
    </Banner>
  )
}

interface CardTopicFilterProps {
  topics: EmbeddingStatus['topics']
  value: string
  onValueChange: (topic: string) => void
}

const maxVisibleTopics = 4

/** The largest topics as toggles and the others in a menu; a topic chosen there joins the toggles. */
function CardTopicFilter({ topics, value, onValueChange }: CardTopicFilterProps) {
  const topTopics = topics.slice(0, maxVisibleTopics)
  const isTopTopic = value === '' || topTopics.some(({ topic }) => topic === value)
  const chips = isTopTopic ? topTopics : [...topTopics.slice(0, -1), { topic: value, count: 0 }]
  const otherTopics = topics.filter(({ topic }) => !chips.some((visibleChip) => visibleChip.topic === topic))
  return (
    <FilterChips
      label="Topic"
      value={value}
      onValueChange={onValueChange}
      options={[
        { value: '', label: 'All topics' },
        ...chips.map(({ topic }) => ({
          value: topic,
          label: (
            <span dir="auto" className="block max-w-44 truncate">
              {topic}
            </span>
          ),
        })),
      ]}
    >
      {otherTopics.length > 0 && (
        <Menu
          className="max-h-80 overflow-y-auto"
          trigger={
            <button type="button" className={chipClasses}>
              {otherTopics.length} more
            </button>
          }
        >
          {otherTopics.map(({ topic, count }) => (
            <MenuItem
              key={topic}
              icon={topic === value ? <Check aria-hidden size={14} /> : undefined}
              end={<span className="text-small text-muted-foreground tabular-nums">{count}</span>}
              onSelect={() => onValueChange(topic)}
            >
              {topic}
            </MenuItem>
          ))}
        </Menu>
      )}
    </FilterChips>
  )
}
