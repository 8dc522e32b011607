import { useEffect, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { EntryListSkeleton, EntryLoadError } from '../entries/entry-parts.tsx'
import { CardItem } from './card-item.tsx'
import { useCardGroups } from './card-queries.ts'
import { type CardGroups, fetchFailedMessage } from './cards-backend.ts'

const maxCardsPerTopic = 6

/** Whether a topic shows fewer cards than its limit because the others are on another page. */
function isMissingCards(groups: CardGroups, getVisibleLimit: (topic: string | null) => number | undefined): boolean {
  return groups.some(({ topic, count, cards }) => cards.length < Math.min(count, getVisibleLimit(topic) ?? count))
}

export function CardGroupsView({ onTopic }: { onTopic: (topic: string) => void }) {
  const { data, error, refetch, isRefetching, ...pagination } = useCardGroups()
  const [showsAllWithoutTopic, setShowsAllWithoutTopic] = useState(false)
  const [expandedIds, setExpandedIds] = useState<ReadonlySet<string>>(() => new Set())
  const getVisibleLimit = (topic: string | null) =>
    topic === null && showsAllWithoutTopic ? undefined : maxCardsPerTopic
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pagination
  const shouldLoadMore =
    !isFetching && !isFetchNextPageError && hasNextPage && isMissingCards(data ?? [], getVisibleLimit)
  useEffect(() => {
    if (shouldLoadMore) void fetchNextPage()
  }, [shouldLoadMore, fetchNextPage])
  if (!data)
    return error ? (
      <EntryLoadError title={fetchFailedMessage} reason={error} onRetry={() => refetch()} retrying={isRefetching} />
    ) : (
      <EntryListSkeleton />
    )
  const setExpanded = (id: string, expanded: boolean) =>
    setExpandedIds(
      (previous) => new Set(expanded ? [...previous, id] : [...previous].filter((expandedId) => expandedId !== id)),
    )
  return (
    <div className="flex flex-col gap-8">
      {data.map(({ topic, count, cards }) => (
        <section key={topic ?? ''} aria-label={topic ?? 'No topic'}>
          <div className="mb-3 flex flex-wrap items-baseline gap-x-3">
            <h2 className="wrap-anywhere">{topic ?? 'No topic'}</h2>
            <span className="text-small text-muted-foreground tabular-nums">
              {count} {count === 1 ? 'card' : 'cards'}
            </span>
            {count > maxCardsPerTopic && !(topic === null && showsAllWithoutTopic) && (
              <Button
                size="small"
                variant="plain"
                onClick={() => (topic === null ? setShowsAllWithoutTopic(true) : onTopic(topic))}
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
                  expanded={expandedIds.has(card.id)}
                  onExpandedChange={(expanded) => setExpanded(card.id, expanded)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {isFetchNextPageError && (
        <EntryLoadError
          title={fetchFailedMessage}
          reason={error}
          onRetry={() => fetchNextPage()}
          retrying={isFetching}
        />
      )}
    </div>
  )
}
