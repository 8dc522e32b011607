import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type SearchHit, search as searchCalls } from '#contract/keepers/search.ts'
import type { SearchMark } from '#contract/search/search-excerpt.ts'
import { call } from '#web/api/api.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { MarkedText } from '#web/ui/text/marked-text.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { type SearchFilter, searchTypeLabels } from './search-filter.ts'

interface SearchResultsProps {
  filter: SearchFilter
  hasDocuments: boolean
  clearButton: ReactNode
}

export function SearchResults({ filter, hasDocuments, clearButton }: SearchResultsProps) {
  const search = useSearch(filter)
  const { items, pending, error, isPlaceholderData } = search
  if (error && items.length === 0)
    return (
      <QueryError query={{ ...search, data: undefined }} title="The search didn’t work." details={error.message}>
        {error.message} Nothing you wrote is affected.
      </QueryError>
    )
  if (search.isPending)
    return (
      <div className="flex flex-col gap-2.5">
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
      </div>
    )
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : undefined}>
      <p role="status" className="mb-3 text-small text-muted-foreground">
        {formatCount(items.length, search.hasNextPage, hasDocuments)}
      </p>
      {pending > 0 && (
        <Banner tone="info" className="mb-4">
          {pluralize(pending, 'entry is', 'entries are')} still being prepared for search and can be missing here.
        </Banner>
      )}
      {items.length === 0 && !hasDocuments && (
        <EmptyPanel title="Nothing found" action={clearButton}>
          Try fewer or other words. Accents and capital letters don’t matter.
        </EmptyPanel>
      )}
      <ol aria-label="Results" className="flex flex-col gap-2.5">
        {items.map((hit) => (
          <HitItem key={`${hit.type} ${hit.id}`} to={hit.link} {...toHitItemProps(hit)} />
        ))}
      </ol>
      {search.hasNextPage && <ShowMore {...search} className="mt-4" />}
    </div>
  )
}

function formatCount(count: number, hasMore: boolean, hasDocuments: boolean): string {
  if (count === 0) return hasDocuments ? 'Only documents match.' : 'No results.'
  return hasMore ? `The first ${count.toLocaleString('en-US')} results` : pluralize(count, 'result')
}

function toHitItemProps({ type, title, titleMarks, excerpt, marks, place, day }: SearchHit) {
  return {
    title,
    titleMarks,
    excerpt,
    marks,
    badge: <Badge>{searchTypeLabels[type]}</Badge>,
    place,
    day,
  }
}

/** No hits for an empty query. A hit that moved between two fetches is on both pages, but listed once. */
function useSearch(filter: SearchFilter) {
  const query = useInfiniteQuery({
    queryKey: ['keepers', 'search', filter],
    enabled: filter.q !== '',
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call(searchCalls.find, { query: { ...filter, cursor: pageParam }, signal }),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    networkMode: 'always',
    staleTime: 10_000,
  })
  const items = new Map((query.data?.pages ?? []).flatMap((page) => page.items.map((hit) => [hit.link + hit.id, hit])))
  return { ...query, items: [...items.values()], pending: query.data?.pages.at(-1)?.pending ?? 0 }
}

interface HitItemProps {
  to: string
  title: string
  titleMarks: readonly SearchMark[]
  excerpt: string
  marks: readonly SearchMark[]
  badge: ReactNode
  place?: string
  day: string
}

const markClasses = 'rounded-xs bg-ribbon-soft text-foreground'

/** The link covers the whole item. An entry without a title is named by its text. */
export function HitItem({ to, title, titleMarks, excerpt, marks, badge, place, day }: HitItemProps) {
  const text = <MarkedText text={excerpt} marks={marks} className={markClasses} />
  const linkClasses =
    'after:absolute after:inset-0 after:rounded-[inherit] hover:underline focus-visible:outline-hidden focus-visible:after:outline-2 focus-visible:after:outline-ring'
  return (
    <li className="relative rounded-lg border border-border bg-card px-4 py-3 transition-shadow duration-120 hover:shadow-e2">
      <p className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted-foreground">
        {badge}
        {place}
        <Time value={`${day}T12:00:00`} title={undefined} />
      </p>
      {title ? (
        <>
          <Link to={to} data-hit className={`font-label wrap-anywhere ${linkClasses}`}>
            <MarkedText text={title} marks={titleMarks} className={markClasses} />
          </Link>
          {excerpt && (
            <p dir="auto" className="mt-0.5 line-clamp-3 font-serif text-[1rem] wrap-anywhere">
              {text}
            </p>
          )}
        </>
      ) : (
        <Link to={to} data-hit className={`line-clamp-3 font-serif text-[1rem] wrap-anywhere ${linkClasses}`}>
          {excerpt ? text : 'No text'}
        </Link>
      )}
    </li>
  )
}
