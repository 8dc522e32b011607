import { BookOpen, X } from 'lucide-react'
import { useState } from 'react'
import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { useAddressParams } from '#web/page/use-address-params.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { PrintButton } from '#web/ui/controls/print-button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { useJourneys } from '../journeys/journey-queries.ts'
import { getBookPath } from '../keeper-addresses.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { isDay } from './format-day.ts'
import { QueuedMoments } from './moment-body.tsx'
import { MomentComposer } from './moment-composer.tsx'
import { moodLabels, moodScores } from './moment-draft.ts'
import { type MomentFilter, useMoments, useMomentYears } from './moment-queries.ts'
import { OnThisDay, OnThisDayView } from './on-this-day.tsx'
import { TimelineSkeleton } from './timeline-skeleton.tsx'
import { useToday } from './use-today.ts'

const EditableTimeline = lazyComponent(
  async () => (await import('./editable-timeline.tsx')).EditableTimeline,
  <TimelineSkeleton />,
)
const MonthCalendar = lazyComponent(async () => (await import('./month-calendar.tsx')).MonthCalendar, <ViewSkeleton />)
const OpenedMoment = lazyComponent(
  async () => (await import('./opened-moment.tsx')).OpenedMoment,
  <Skeleton className="mb-6 h-32" />,
)
const MomentMap = lazyComponent(async () => (await import('./moment-map.tsx')).MomentMap, <ViewSkeleton />)
const MediaWall = lazyComponent(async () => (await import('./media-wall.tsx')).MediaWall, <ViewSkeleton />)

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
    <KeeperFrame
      pageName="Moments"
      renderActions={(id) => (
        <>
          <PrintButton iconOnPhone />
          {!isDemoKeeper(id) && (
            <LinkButton to={getBookPath(id)} icon={<BookOpen aria-hidden size={14} />}>
              <span className="phone:sr-only">Book</span>
            </LinkButton>
          )}
        </>
      )}
    >
      {(keeper) => <Moments key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

function Moments({ keeper }: { keeper: Keeper }) {
  const [params, setParams] = useAddressParams({ replace: true })
  const view: MomentsView = momentsViews.find(({ id }) => id === params.get('view'))?.id ?? 'timeline'
  const today = useToday()
  const requestedDay = params.get('day') ?? ''
  const day = isDay(requestedDay) ? requestedDay : today
  const openTopic = (topic: string) =>
    setParams({ view: undefined, day: undefined, place: undefined, moment: undefined, topic })
  const openedMomentId = params.get('moment')
  return (
    <>
      <MomentComposer keeper={keeper} />
      <div className="h-6" data-chrome />
      <QueuedMoments keeper={keeper} />
      {openedMomentId && (
        <OpenedMoment
          key={openedMomentId}
          keeper={keeper}
          id={openedMomentId}
          onClose={() => setParams({ moment: undefined })}
          onShowDay={(next) => setParams({ moment: undefined, view: 'calendar', day: next })}
          openTopic={openTopic}
        />
      )}
      <Tabs
        label="Moments"
        tabs={momentsViews}
        value={view}
        onValueChange={(next) => setParams({ view: next === 'timeline' ? undefined : next })}
      >
        {view === 'timeline' && (
          <TimelineView keeper={keeper} params={params} setParams={setParams} openTopic={openTopic} />
        )}
        {view === 'calendar' && (
          <MonthCalendar keeper={keeper} day={day} setDay={(next) => setParams({ day: next })} openTopic={openTopic} />
        )}
        {view === 'map' && (
          <MomentMap
            keeper={keeper}
            spot={params.get('place') ?? undefined}
            onSpotChange={(spot) => setParams({ place: spot })}
            openTopic={openTopic}
          />
        )}
        {view === 'media' && <MediaWall keeper={keeper} />}
        {view === 'on-this-day' && <OnThisDayView keeper={keeper} />}
      </Tabs>
    </>
  )
}

interface TimelineViewProps {
  keeper: Keeper
  params: URLSearchParams
  setParams: (values: Record<string, string | undefined>) => void
  openTopic: (name: string) => void
}

const typingPauseMs = 250
const moodScorePattern = /^-?[0-2]$/
const yearPattern = /^\d{4}$/

function TimelineView({ keeper, params, setParams, openTopic }: TimelineViewProps) {
  const [searchText, setSearchText] = useState((params.get('q') ?? '').slice(0, maxSearchLength))
  const q = useDebouncedText(searchText.trim(), typingPauseMs)
  const [topic, mood, journeyId, year] = ['topic', 'mood', 'journey', 'year'].map(
    (name) => params.get(name) || undefined,
  )
  const { data: years = [] } = useMomentYears(keeper)
  const { data: journeys } = useJourneys(keeper)
  const filter: MomentFilter = {
    ...(q && { q }),
    ...(topic && { topic }),
    ...(mood && moodScorePattern.test(mood) && { mood: Number(mood) }),
    ...(journeyId && { journeyId }),
    ...(year && yearPattern.test(year) && { from: `${year}-01-01`, to: `${year}-12-31` }),
  }
  const isFiltered = Object.keys(filter).length > 0
  const momentsQuery = useMoments(keeper, filter)
  const clearFilters = () => {
    setSearchText('')
    setParams({ q: undefined, topic: undefined, mood: undefined, journey: undefined, year: undefined })
  }

  return (
    <>
      <div data-chrome className="mb-5 flex max-w-[788px] flex-wrap items-center gap-2 phone:grid phone:grid-cols-2">
        <SearchField
          label="Search moments"
          maxLength={maxSearchLength}
          value={searchText}
          onValueChange={(value) => {
            setSearchText(value)
            setParams({ q: value.trim() || undefined })
          }}
          className="min-w-[min(12rem,100%)] flex-1 phone:min-w-0"
        />
        <SelectField
          label="Mood"
          labelHidden
          value={filter.mood === undefined ? '' : String(filter.mood)}
          onChange={(event) => setParams({ mood: event.currentTarget.value || undefined })}
          options={[
            { value: '', label: 'Any mood' },
            ...moodScores.toReversed().map((score) => ({ value: String(score), label: moodLabels[score] ?? '' })),
          ]}
          className="w-36 phone:w-auto"
        />
        {journeys && journeys.length > 0 && (
          <SelectField
            label="Journey"
            labelHidden
            value={journeyId ?? ''}
            onChange={(event) => setParams({ journey: event.currentTarget.value || undefined })}
            options={[
              { value: '', label: 'Any journey' },
              ...journeys.map(({ id, title }) => ({ value: id, label: title })),
            ]}
            className="w-44 phone:w-auto"
          />
        )}
        {(years.length > 1 || year) && (
          <SelectField
            label="Year"
            labelHidden
            value={year ?? ''}
            onChange={(event) => setParams({ year: event.currentTarget.value || undefined })}
            options={[
              { value: '', label: 'Any year' },
              ...years.toReversed().map(({ year: value }) => ({ value, label: String(Number(value)) })),
              ...(year && !years.some((option) => option.year === year) ? [{ value: year, label: year }] : []),
            ]}
            className="w-32 phone:w-auto"
          />
        )}
        {topic && (
          <Button size="small" icon={<X aria-hidden size={13} />} onClick={() => setParams({ topic: undefined })}>
            Topic: <bdi>{topic}</bdi>
          </Button>
        )}
      </div>
      <div className="grid grid-cols-1 gap-x-[52px] min-[1180px]:grid-cols-[minmax(0,788px)_minmax(240px,1fr)]">
        <div className="min-[1180px]:order-2">{!isFiltered && <OnThisDay keeper={keeper} />}</div>
        <div className="min-w-0">
          {momentsQuery.isPending && <TimelineSkeleton />}
          <QueryError query={momentsQuery} title="Moments couldn’t be loaded">
            Nothing you wrote is affected.
          </QueryError>
          {momentsQuery.data && momentsQuery.items.length > 0 && (
            <EditableTimeline keeper={keeper} items={momentsQuery.items} list={momentsQuery} openTopic={openTopic} />
          )}
          {momentsQuery.data && momentsQuery.items.length === 0 && (
            <NoMoments onClear={isFiltered ? clearFilters : undefined} />
          )}
        </div>
      </div>
    </>
  )
}

/** `onClear` is present when a filter hides them. */
function NoMoments({ onClear }: { onClear: (() => void) | undefined }) {
  if (onClear)
    return (
      <EmptyPanel title="No moments match." action={<Button onClick={onClear}>Clear</Button>}>
        Try other words or clear a filter.
      </EmptyPanel>
    )
  return (
    <EmptyPanel drawing="path" title="No moments yet">
      Write one above. A sentence is enough; the date and time are added automatically.
    </EmptyPanel>
  )
}

function ViewSkeleton() {
  return <Skeleton className="h-96" />
}
