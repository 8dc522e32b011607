import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { moodLabels } from '#web/keepers/moments/moment-writing.ts'
import { getSignedInUserId } from '#web/offline/signed-in-user.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { DocumentResults } from './document-results.tsx'
import { moveBetweenHits } from './move-between-hits.ts'
import { isNarrowed, readSearchFilter, type SearchFilter } from './search-filter.ts'
import { SearchFilters } from './search-filters.tsx'
import { SearchResults } from './search-results.tsx'

const typingPauseMs = 250

/** `/search`: everything the person wrote, and the documents in this browser. */
export function SearchPage() {
  const [params, setParams] = useSearchParams()
  const filter = readSearchFilter(params)
  const [typed, setTyped] = useState(filter.q)
  const [lastQuery, setLastQuery] = useState(filter.q)
  // A link, such as from the palette, changes the address while the page is open.
  if (filter.q !== lastQuery) {
    setLastQuery(filter.q)
    if (filter.q !== typed.trim()) setTyped(filter.q)
  }
  const q = useDebouncedText(filter.q, typingPauseMs)
  const settled: SearchFilter = { ...filter, q }
  const { data: keepers } = useKeepers()
  const documents = useDocuments(q)
  const narrowed = isNarrowed(filter)

  function change(values: Record<string, string | undefined>) {
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous)
        for (const [name, value] of Object.entries(values)) value ? next.set(name, value) : next.delete(name)
        return next
      },
      { replace: true },
    )
  }
  function clear() {
    setParams(filter.q ? { q: filter.q } : {}, { replace: true })
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links within
    <div onKeyDown={(event: KeyboardEvent<HTMLElement>) => moveBetweenHits(event)}>
      <PageHeader title="Search" />
      <div data-chrome className="mb-5 flex max-w-[820px] flex-col gap-2.5">
        <SearchField
          label="Search everything you wrote"
          autoFocus
          maxLength={maxSearchLength}
          value={typed}
          onValueChange={(value) => {
            setTyped(value)
            change({ q: value.trim() || undefined })
          }}
          help={'Use quotes for a phrase, and a minus to leave a word out: "green light" -ferry'}
        />
        <SearchFilters
          filter={filter}
          keepers={keepers?.map(({ id, title }) => ({ value: id, label: title })) ?? []}
          moods={[2, 1, 0, -1, -2].map((score) => ({ value: String(score), label: moodLabels[score] ?? '' }))}
          onChange={change}
          {...(narrowed && { onClear: clear })}
        />
      </div>
      {q === '' ? (
        <EmptyPanel drawing="lamp" title="What are you looking for?" className="max-w-[820px]">
          Moments, reflections, cards, voice, logbook, echoes, journeys, topics, chats, boards and the documents in this
          browser are searched.
        </EmptyPanel>
      ) : (
        <div className="max-w-[820px]">
          <SearchResults
            filter={settled}
            hasDocuments={!narrowed && documents.length > 0}
            clearFilters={narrowed && <Button onClick={clear}>Clear filters</Button>}
          />
          {!narrowed && documents.length > 0 && <DocumentResults documents={documents} query={q} />}
        </div>
      )}
    </div>
  )
}

/** Documents exist only in this browser. Loaded on demand, to keep the library out of this page. */
function useDocuments(query: string) {
  const { data } = useQuery({
    queryKey: ['search', 'documents', query],
    enabled: query !== '',
    queryFn: async () => {
      const person = getSignedInUserId()
      if (person === null) return []
      const [{ openLibrary }, { findDocuments, searchTexts }] = await Promise.all([
        import('#web/library/store/library-store.ts'),
        import('#web/library/search-documents.ts'),
      ])
      const store = openLibrary(person)
      const all = await store.listDocuments()
      const inText = await searchTexts(store, all, query)
      return findDocuments(all, { query, type: 'all', inText }).map(({ id, name, type, uploadedAt }) => ({
        id,
        name,
        type,
        uploadedAt,
        match: inText.get(id),
      }))
    },
    networkMode: 'always',
    gcTime: 0,
  })
  return data ?? []
}
