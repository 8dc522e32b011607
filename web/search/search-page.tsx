import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import { searchTypes } from '#contract/keepers/search.ts'
import { findSearchMarks, type SearchExcerpt } from '#contract/search/search-excerpt.ts'
import { parseSearchQuery } from '#contract/search/search-query.ts'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { moodLabels } from '#web/keepers/moments/moment-draft.ts'
import { getSignedInUserId } from '#web/offline/signed-in-user.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { DayRangeMenu } from '#web/ui/fields/day-range-menu.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { SelectField, type SelectOption } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { isNarrowed, maxTopicLength, readSearchFilter, type SearchFilter, searchTypeLabels } from './search-filter.ts'
import { HitItem, SearchResults } from './search-results.tsx'

interface DocumentHit {
  id: string
  name: string
  type: string
  uploadedAt: string
  match: SearchExcerpt | undefined
}

const pageSize = 10

function DocumentResults({ documents, query }: { documents: readonly DocumentHit[]; query: string }) {
  const [visibleCount, setVisibleCount] = useState(pageSize)
  const { required } = parseSearchQuery(query)
  return (
    <section aria-labelledby="found-documents" className="mt-8">
      <h2 id="found-documents" className="mb-3 text-h3">
        Documents in this browser
      </h2>
      <ol aria-label="Documents" className="flex flex-col gap-2.5">
        {documents.slice(0, visibleCount).map(({ id, name, type, uploadedAt, match }) => (
          <HitItem
            key={id}
            to={`/library?document=${encodeURIComponent(id)}`}
            title={name}
            titleMarks={findSearchMarks(name, required)}
            excerpt={match?.excerpt ?? ''}
            marks={match?.marks ?? []}
            badge={<Badge>{type}</Badge>}
            day={uploadedAt.slice(0, 10)}
          />
        ))}
      </ol>
      {documents.length > visibleCount && (
        <Button size="small" className="mt-4" onClick={() => setVisibleCount(visibleCount + pageSize)}>
          Show more
        </Button>
      )}
    </section>
  )
}

const typingPauseMs = 250

/** `/search`: everything the person wrote, and the documents in this browser. */
export function SearchPage() {
  const [params, setParams] = useSearchParams()
  const filter = readSearchFilter(params)
  const [typedQuery, setTypedQuery] = useState(filter.q)
  const [lastQuery, setLastQuery] = useState(filter.q)
  // A link, such as from the palette, changes the address while the page is open.
  if (filter.q !== lastQuery) {
    setLastQuery(filter.q)
    if (filter.q !== typedQuery.trim()) setTypedQuery(filter.q)
  }
  const settledQuery = useDebouncedText(filter.q, typingPauseMs)
  const settledFilter: SearchFilter = { ...filter, q: settledQuery }
  const { data: keepers } = useKeepers()
  const documents = useDocuments(settledQuery)
  const narrowed = isNarrowed(filter)

  function changeFilter(values: Record<string, string | undefined>) {
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous)
        for (const [name, value] of Object.entries(values)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  }
  function clearFilter() {
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
          value={typedQuery}
          onValueChange={(value) => {
            setTypedQuery(value)
            changeFilter({ q: value.trim() || undefined })
          }}
          help={'Use quotes for a phrase, and a minus to leave a word out: "green light" -ferry'}
        />
        <SearchFilters
          filter={filter}
          keepers={keepers?.map(({ id, title }) => ({ value: id, label: title })) ?? []}
          moods={[2, 1, 0, -1, -2].map((score) => ({ value: String(score), label: moodLabels[score] ?? '' }))}
          onChange={changeFilter}
          {...(narrowed && { onClear: clearFilter })}
        />
      </div>
      {settledQuery === '' ? (
        <EmptyPanel drawing="lamp" title="What are you looking for?" className="max-w-[820px]">
          Moments, reflections, cards, voice, logbook, echoes, journeys, topics, chats, boards and the documents in this
          browser are searched.
        </EmptyPanel>
      ) : (
        <div className="max-w-[820px]">
          <SearchResults
            filter={settledFilter}
            hasDocuments={!narrowed && documents.length > 0}
            clearButton={narrowed && <Button onClick={clearFilter}>Clear filters</Button>}
          />
          {!narrowed && documents.length > 0 && <DocumentResults documents={documents} query={settledQuery} />}
        </div>
      )}
    </div>
  )
}

/** Searches the documents in this browser. The library is loaded on demand, to keep it out of this page. */
function useDocuments(query: string) {
  const { data } = useQuery({
    queryKey: ['search', 'documents', query],
    enabled: query !== '',
    queryFn: async () => {
      const personId = getSignedInUserId()
      if (personId === null) return []
      const [{ openLibrary }, { findDocuments, searchTexts }] = await Promise.all([
        import('#web/library/store/library-store.ts'),
        import('#web/library/search-documents.ts'),
      ])
      const store = openLibrary(personId)
      const allDocuments = await store.listDocuments()
      const inText = await searchTexts(store, allDocuments, query)
      return findDocuments(allDocuments, { query, type: 'all', inText }).map(({ id, name, type, uploadedAt }) => ({
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

/** Arrow keys move from the search box through the results and back; Enter opens a link as usual. */
function moveBetweenHits(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const { target, currentTarget } = event
  const hits = [...currentTarget.querySelectorAll<HTMLElement>('[data-hit]')]
  const box = currentTarget.querySelector<HTMLElement>('[role="searchbox"]')
  const index = hits.indexOf(target as HTMLElement)
  if (index === -1 && target !== box) return
  const previous = index === 0 ? box : hits[index - 1]
  const next = event.key === 'ArrowDown' ? hits[index + 1] : previous
  if (!next) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

interface SearchFiltersProps {
  filter: SearchFilter
  keepers: SelectOption[]
  moods: SelectOption[]
  /** By the names in the address; `undefined` removes one. */
  onChange: (values: Record<string, string | undefined>) => void
  onClear?: () => void
}

function SearchFilters({ filter, keepers, moods, onChange, onClear }: SearchFiltersProps) {
  const { from = '', to = '' } = filter
  const [wasOpened, setOpened] = useState<boolean>()
  const isOpen = wasOpened ?? onClear !== undefined
  return (
    <>
      <Button
        className="self-start desk:hidden"
        aria-expanded={isOpen}
        onClick={() => setOpened(!isOpen)}
        icon={<ListFilter aria-hidden size={14} />}
      >
        Filters
      </Button>
      <fieldset
        aria-label="Filters"
        className={classNames('flex flex-wrap items-end gap-2', !isOpen && 'phone:hidden')}
      >
        <SelectField
          label="Type"
          value={filter.type ?? ''}
          onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}
          options={[
            { value: '', label: 'Everything' },
            ...searchTypes.map((type) => ({ value: type, label: searchTypeLabels[type] })),
          ]}
          className="w-36 phone:w-auto phone:flex-1 phone:basis-[max(45%,9rem)]"
        />
        <SelectField
          label="Keeper"
          value={filter.keeperId ?? ''}
          onChange={({ currentTarget }) => onChange({ keeper: currentTarget.value })}
          options={[{ value: '', label: 'All keepers' }, ...keepers]}
          className="w-44 phone:w-auto phone:flex-1 phone:basis-[max(45%,9rem)]"
        />
        <SelectField
          label="Mood"
          value={filter.mood === undefined ? '' : String(filter.mood)}
          onChange={({ currentTarget }) => onChange({ mood: currentTarget.value })}
          options={[{ value: '', label: 'Any mood' }, ...moods]}
          className="w-32 phone:w-auto phone:flex-1 phone:basis-[max(45%,9rem)]"
        />
        <TopicField
          key={filter.topic ?? ''}
          topic={filter.topic ?? ''}
          onTopicChange={(topic) => onChange({ topic })}
        />
        <DayRangeMenu
          from={from}
          to={to}
          onChange={onChange}
          className="w-32 phone:w-auto phone:flex-1 phone:basis-[max(45%,9rem)]"
          fieldClassName="w-37.5 phone:w-auto phone:flex-1"
        />
        <Checkbox
          label="With a picture"
          checked={filter.hasPicture === 'true'}
          onCheckedChange={(checked) => onChange({ picture: checked ? 'true' : undefined })}
          className="h-9 items-center!"
        />
        {onClear && (
          <Button variant="plain" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </fieldset>
    </>
  )
}

/** Filters by whole topics, so an unfinished name would find nothing. */
function TopicField({ topic, onTopicChange }: { topic: string; onTopicChange: (topic: string | undefined) => void }) {
  const [typedTopic, setTypedTopic] = useState(topic)
  function apply() {
    if (typedTopic.trim() !== topic) onTopicChange(typedTopic.trim() || undefined)
  }
  return (
    <TextField
      label="Topic"
      placeholder="Any topic"
      maxLength={maxTopicLength}
      value={typedTopic}
      onChange={({ currentTarget }) => setTypedTopic(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply()
      }}
      className="w-36 phone:w-auto phone:flex-1 phone:basis-[max(45%,9rem)]"
    />
  )
}
