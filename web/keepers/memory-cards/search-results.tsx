import type { SearchedByMeaning } from '#contract/keepers/memory-cards.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { EntryListSkeleton, EntryLoadError } from '../entries/entry-parts.tsx'
import { CardGrid } from './card-grid.tsx'
import { useCardSearch } from './card-queries.ts'

export function CardSearchResultList({ query }: { query: string }) {
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
