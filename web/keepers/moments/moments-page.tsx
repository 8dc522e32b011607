import { X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { ReaderText } from '#web/agents/agent-text.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { useDebouncedText } from '#web/ui/use-debounced-text.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { getToday } from './format-day.ts'
import { MomentComposer } from './moment-composer.tsx'
import { MomentMarkdown } from './moment-markdown.tsx'
import { type MomentFilter, useJourneyChoices, useMoments } from './moment-queries.ts'
import { moodLabels } from './moment-writing.ts'
import { OnThisDay, OnThisDayView } from './on-this-day.tsx'
import { QueuedMoments } from './queued-moments.tsx'

const EditableTimeline = lazy(() =>
  import('./editable-timeline.tsx').then((module) => ({ default: module.EditableTimeline })),
)
const MonthCalendar = lazy(() => import('./month-calendar.tsx').then((module) => ({ default: module.MonthCalendar })))
const OpenedMoment = lazy(() => import('./opened-moment.tsx').then((module) => ({ default: module.OpenedMoment })))
const MomentMap = lazy(() => import('./moment-map.tsx').then((module) => ({ default: module.MomentMap })))
const MediaWall = lazy(() => import('./media-wall.tsx').then((module) => ({ default: module.MediaWall })))

const momentsViews = [
  { id: 'timeline', label: 'Timeline' },
  { id: 'calendar', label: 'Calendar' },
  { id: 'map', label: 'Map' },
  { id: 'media', label: 'Media' },
  { id: 'on-this-day', label: 'On this day' },
] as const
type MomentsView = (typeof momentsViews)[number]['id']

export function MomentsPage() {
  return (
    <KeeperFrame pageName="Moments">
      {(keeper) => (
        <MomentMarkdown value={ReaderText}>
          <Moments key={keeper.id} keeper={keeper} />
        </MomentMarkdown>
      )}
    </KeeperFrame>
  )
}

function Moments({ keeper }: { keeper: Keeper }) {
  const [searchParams, setSearchParams] = useSearchParams()
  const updateSearchParams = (values: Record<string, string | undefined>) =>
    setSearchParams(
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
  const view: MomentsView = momentsViews.find(({ id }) => id === searchParams.get('view'))?.id ?? 'timeline'
  const requestedDay = searchParams.get('day') ?? ''
  const day =
    /^\d{4}-\d{2}-\d{2}$/.test(requestedDay) && !Number.isNaN(Date.parse(requestedDay)) ? requestedDay : getToday()
  const showTopic = (topic: string) =>
    updateSearchParams({ view: undefined, day: undefined, place: undefined, moment: undefined, topic })
  const openedId = searchParams.get('moment')
  return (
    <>
      <MomentComposer keeper={keeper} />
      <div className="h-6" data-chrome />
      <QueuedMoments keeper={keeper} />
      {openedId && (
        <Suspense fallback={<Skeleton className="mb-6 h-32" />}>
          <OpenedMoment
            key={openedId}
            keeper={keeper}
            id={openedId}
            onClose={() => updateSearchParams({ moment: undefined })}
            onDay={(next) => updateSearchParams({ moment: undefined, view: 'calendar', day: next })}
            onTopic={showTopic}
          />
        </Suspense>
      )}
      <Tabs
        label="Moments"
        tabs={momentsViews}
        value={view}
        onValueChange={(next) => updateSearchParams({ view: next === 'timeline' ? undefined : next })}
      >
        <Suspense fallback={<Skeleton className="h-96" />}>
          {view === 'timeline' ? (
            <TimelineView
              keeper={keeper}
              searchParams={searchParams}
              updateSearchParams={updateSearchParams}
              onTopic={showTopic}
            />
          ) : view === 'calendar' ? (
            <MonthCalendar
              keeper={keeper}
              day={day}
              onDay={(next) => updateSearchParams({ day: next })}
              onTopic={showTopic}
            />
          ) : view === 'map' ? (
            <MomentMap
              keeper={keeper}
              spot={searchParams.get('place') ?? undefined}
              onSpotChange={(spot) => updateSearchParams({ place: spot })}
              onTopic={showTopic}
            />
          ) : view === 'media' ? (
            <MediaWall keeper={keeper} />
          ) : (
            <OnThisDayView keeper={keeper} />
          )}
        </Suspense>
      </Tabs>
    </>
  )
}

interface TimelineViewProps {
  keeper: Keeper
  searchParams: URLSearchParams
  updateSearchParams: (values: Record<string, string | undefined>) => void
  onTopic: (name: string) => void
}

function TimelineView({ keeper, searchParams, updateSearchParams, onTopic }: TimelineViewProps) {
  const [searchText, setSearchText] = useState((searchParams.get('q') ?? '').slice(0, maxSearchLength))
  const q = useDebouncedText(searchText.trim(), 250)
  const [topic, mood, journeyId] = ['topic', 'mood', 'journey'].map((name) => searchParams.get(name) || undefined)
  const { data: journeys } = useJourneyChoices(keeper, true)
  const filter: MomentFilter = {
    ...(q && { q }),
    ...(topic && { topic }),
    ...(mood && /^-?[0-2]$/.test(mood) && { mood: Number(mood) }),
    ...(journeyId && { journeyId }),
  }
  const isFiltered = Object.keys(filter).length > 0
  const momentsQuery = useMoments(keeper, filter)
  const { items, isPending, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } =
    momentsQuery
  const clearFilters = () => {
    setSearchText('')
    updateSearchParams({ q: undefined, topic: undefined, mood: undefined, journey: undefined })
  }

  return (
    <>
      <div data-chrome className="mb-5 flex flex-wrap items-center gap-2">
        <SearchField
          label="Search moments"
          maxLength={maxSearchLength}
          value={searchText}
          onValueChange={(value) => {
            setSearchText(value)
            updateSearchParams({ q: value.trim() || undefined })
          }}
          className="min-w-48 flex-1 desk:max-w-80"
        />
        <SelectField
          label="Mood"
          labelHidden
          value={filter.mood === undefined ? '' : String(filter.mood)}
          onChange={(event) => updateSearchParams({ mood: event.currentTarget.value || undefined })}
          options={[
            { value: '', label: 'Any mood' },
            ...[2, 1, 0, -1, -2].map((score) => ({ value: String(score), label: moodLabels[score] ?? '' })),
          ]}
          className="w-36"
        />
        {journeys && journeys.length > 0 && (
          <SelectField
            label="Journey"
            labelHidden
            value={journeyId ?? ''}
            onChange={(event) => updateSearchParams({ journey: event.currentTarget.value || undefined })}
            options={[
              { value: '', label: 'Any journey' },
              ...journeys.map(({ id, title }) => ({ value: id, label: title })),
            ]}
            className="w-44"
          />
        )}
        {topic && (
          <Button
            size="small"
            icon={<X aria-hidden size={13} />}
            onClick={() => updateSearchParams({ topic: undefined })}
          >
            Topic: {topic}
          </Button>
        )}
      </div>
      <div className="grid grid-cols-1 gap-x-[52px] min-[1180px]:grid-cols-[minmax(0,788px)_minmax(240px,1fr)]">
        <div className="min-[1180px]:order-2">{!isFiltered && <OnThisDay keeper={keeper} />}</div>
        <div className="min-w-0">{renderTimeline()}</div>
      </div>
    </>
  )

  function renderTimeline() {
    return isPending ? (
      <TimelineSkeleton />
    ) : error && items.length === 0 ? (
      <ErrorPanel reason={error} title="Moments couldn’t be loaded" onRetry={() => refetch()} retrying={isRefetching}>
        Nothing you wrote is affected.
      </ErrorPanel>
    ) : items.length === 0 ? (
      isFiltered ? (
        <EmptyPanel title="No moments match." action={<Button onClick={clearFilters}>Clear</Button>}>
          Try other words or clear a filter.
        </EmptyPanel>
      ) : (
        <EmptyPanel drawing="path" title="No moments yet">
          Write one above. A sentence is enough; the date and time are added automatically.
        </EmptyPanel>
      )
    ) : (
      <Suspense fallback={<TimelineSkeleton />}>
        <EditableTimeline
          keeper={keeper}
          items={items}
          hasMore={hasNextPage}
          fetching={momentsQuery.isFetching}
          loadingMore={isFetchingNextPage}
          failedMore={momentsQuery.isFetchNextPageError}
          onMore={fetchNextPage}
          onTopic={onTopic}
        />
      </Suspense>
    )
  }
}

function TimelineSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-8 w-40" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  )
}
