import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { CardSearchResult, MemoryCard } from '#contract/keepers/memory-cards.ts'
import { Button } from '#web/ui/controls/button.tsx'
import type { PagedList } from '#web/ui/controls/show-more.tsx'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { EntryListStatus } from '../entries/entry-parts.tsx'
import { ListEnd, useAutoLoad, useDocumentOffset, useLoadForPrint } from '../list-end.tsx'
import { CardItem } from './card-item.tsx'
import { type CardGroups, fetchFailedMessage, useCardGroups } from './card-queries.ts'

interface CardGridProps {
  label: string
  cards: readonly MemoryCard[]
  matchesById?: ReadonlyMap<string, CardSearchResult>
  /** Absent when all cards are loaded. */
  list?: PagedList
}

const completeList: PagedList = {
  hasNextPage: false,
  isFetching: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: () => undefined,
}

const maxColumnCount = 3
const minCardWidthPx = 300
const gridGapPx = 22
const estimatedRowHeightPx = 178

/** A responsive, virtualized grid of cards. */
export function CardGrid({ label, cards, matchesById, list = completeList }: CardGridProps) {
  const listRef = useRef<HTMLDivElement>(null)
  const columnCount = useColumnCount(listRef)
  const offset = useDocumentOffset(listRef)
  const isPrinting = usePrinting()
  const [expandedIds, setExpanded] = useExpandedIds()
  const rowCount = Math.ceil(cards.length / columnCount)
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => estimatedRowHeightPx,
    getItemKey: (row) => `${columnCount}-${cards[row * columnCount]?.id}`,
    overscan: 4,
    gap: gridGapPx,
    scrollMargin: offset,
  })
  const visibleRows = virtualizer.getVirtualItems()
  useLoadForPrint(list, cards.length)

  const renderItem = (card: MemoryCard, index: number) => (
    <li key={card.id} aria-setsize={list.hasNextPage ? -1 : cards.length} aria-posinset={index + 1} className="min-w-0">
      <CardItem
        card={card}
        match={matchesById?.get(card.id)}
        isExpanded={isPrinting || expandedIds.has(card.id)}
        onExpandedChange={(isExpanded) => setExpanded(card.id, isExpanded)}
      />
    </li>
  )
  if (isPrinting)
    return (
      <ul aria-label={label} aria-busy={list.isFetchingNextPage} className="flex flex-col gap-4">
        {cards.map(renderItem)}
      </ul>
    )
  return (
    <div ref={listRef} aria-busy={list.isFetchingNextPage}>
      <section aria-label={label} style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
        {visibleRows.map(({ index, key, start }) => (
          <div
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start - offset}px)` }}
          >
            <ul
              className="grid items-start"
              style={{ gap: gridGapPx, gridTemplateColumns: `repeat(${columnCount}, minmax(0, 1fr))` }}
            >
              {cards
                .slice(index * columnCount, (index + 1) * columnCount)
                .map((card, column) => renderItem(card, index * columnCount + column))}
            </ul>
          </div>
        ))}
      </section>
      <ListEnd list={list} className="mt-5 h-36" />
    </div>
  )
}

function useColumnCount(list: RefObject<HTMLElement | null>): number {
  const [columnCount, setColumnCount] = useState(1)
  useLayoutEffect(() => {
    const measure = () => {
      if (!list.current) return
      const { width } = list.current.getBoundingClientRect()
      const fittingColumnCount = Math.floor((width + gridGapPx) / (minCardWidthPx + gridGapPx))
      setColumnCount(Math.max(1, Math.min(maxColumnCount, fittingColumnCount)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return columnCount
}

function useExpandedIds() {
  const [expandedIds, setExpandedIds] = useState<ReadonlySet<string>>(() => new Set())
  const setExpanded = (id: string, isExpanded: boolean) =>
    setExpandedIds(
      (previous) => new Set(isExpanded ? [...previous, id] : [...previous].filter((expandedId) => expandedId !== id)),
    )
  return [expandedIds, setExpanded] as const
}

const maxCardsPerTopic = 6

/** Whether a topic shows fewer cards than its limit because the others are on another page. */
function isMissingCards(groups: CardGroups, getVisibleLimit: (topic: string | null) => number | undefined): boolean {
  return groups.some(({ topic, count, cards }) => cards.length < Math.min(count, getVisibleLimit(topic) ?? count))
}

export function CardGroupsView({ keeperId, openTopic }: { keeperId: string; openTopic: (topic: string) => void }) {
  const query = useCardGroups(keeperId)
  const { data, error, isFetching, fetchNextPage, isFetchNextPageError } = query
  const [showsAllWithoutTopic, setShowsAllWithoutTopic] = useState(false)
  const [expandedIds, setExpanded] = useExpandedIds()
  const getVisibleLimit = (topic: string | null) =>
    topic === null && showsAllWithoutTopic ? undefined : maxCardsPerTopic
  useAutoLoad(query, isMissingCards(data ?? [], getVisibleLimit))
  if (!data) return <EntryListStatus title={fetchFailedMessage} query={query} />
  return (
    <div className="flex flex-col gap-8">
      {data.map(({ topic, count, cards }) => (
        <section key={topic ?? ''} aria-label={topic ?? 'No topic'}>
          <div className="mb-3 flex flex-wrap items-baseline gap-x-3">
            <h2 className="wrap-anywhere">{topic ?? 'No topic'}</h2>
            <span className="text-small text-muted-foreground tabular-nums">{pluralize(count, 'card')}</span>
            {count > maxCardsPerTopic && !(topic === null && showsAllWithoutTopic) && (
              <Button
                size="small"
                variant="plain"
                onClick={() => (topic === null ? setShowsAllWithoutTopic(true) : openTopic(topic))}
              >
                Show all
              </Button>
            )}
          </div>
          <ul className="grid items-start gap-[22px] desk:grid-cols-2 xl:grid-cols-3">
            {cards.slice(0, getVisibleLimit(topic)).map((card) => (
              <li key={card.id} className="min-w-0">
                <CardItem
                  card={card}
                  headingLevel="h3"
                  isExpanded={expandedIds.has(card.id)}
                  onExpandedChange={(isExpanded) => setExpanded(card.id, isExpanded)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {isFetchNextPageError && (
        <EntryListStatus
          title={fetchFailedMessage}
          query={{ data: undefined, error, isFetching, refetch: fetchNextPage }}
        />
      )}
    </div>
  )
}
