import type { SearchedByMeaning } from '#contract/keepers/memory-cards.ts'
import { Banner } from '#web/ui/banner.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { RoomError, RoomLoading } from '../rooms/room-parts.tsx'
import { CardGrid } from './card-grid.tsx'
import { useFoundCards } from './card-queries.ts'

export function SearchResults({ query }: { query: string }) {
  const { data, error, refetch, isRefetching, isPlaceholderData } = useFoundCards(query)
  if (!data)
    return error ? (
      <RoomError
        title="Failed to search memory cards"
        reason={error}
        onRetry={() => refetch()}
        retrying={isRefetching}
      />
    ) : (
      <RoomLoading />
    )
  const { found, meaning } = data
  return (
    <div aria-busy={isPlaceholderData}>
      <p role="status" className="mb-3 text-small text-muted-foreground">
        {found.length === 0
          ? 'No cards match.'
          : `${found.length} ${found.length === 1 ? 'card matches' : 'cards match'}, best first.`}
      </p>
      <WordsOnly meaning={meaning} />
      {found.length === 0 ? (
        <EmptyPanel drawing="drawer" title="Nothing found">
          {meaning?.lexical
            ? 'Try other words: without a provider key, cards are found by their words alone.'
            : 'Try other words.'}
        </EmptyPanel>
      ) : (
        <CardGrid
          key={query}
          label="Found memory cards"
          cards={found.map(({ card }) => card)}
          found={new Map(found.map((each) => [each.card.id, each]))}
        />
      )}
    </div>
  )
}

function WordsOnly({ meaning }: { meaning: SearchedByMeaning | undefined }) {
  if (!meaning || meaning.searched) return null
  return (
    <Banner tone="warning" className="mb-4">
      Found by words only. {meaning.reason}
    </Banner>
  )
}
