import { useQuery } from '@tanstack/react-query'
import { BookOpenText } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { getFrameLibrary } from '#contract/boards/frame-types.ts'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { getSharedJourneyPagePath } from '#web/keepers/shared/shared-queries.ts'
import { useCrumb } from '#web/page/crumb.ts'
import { changeParams } from '#web/page/use-address-params.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { toLocalDay } from '#web/ui/text/days.ts'
import { isUnavailable } from '../../frames/frame-query.tsx'
import { frameJourneyQuery, sampleJourneyQuery } from '../../frames/journey/with-journey.tsx'
import { BoardPending, SampleNote } from '../board-states.tsx'
import { EditBoard } from '../edit-board.tsx'
import { EntityBoard, entityBoardQuery, ReadOnlyBoard, useBoardMode } from '../entity-board.tsx'
import { JourneyScrubber } from './journey-scrubber.tsx'
import {
  createTimeline,
  fillJourney,
  getDayAt,
  JourneyReplayContext,
  type ReplayableJourney,
  toPosition,
} from './journey-time.ts'

/** Board of the journey in `?journeyId=`, or the sample. */
export function JourneyBoardPage() {
  const [query] = useSearchParams()
  const journeyId = query.get('journeyId') || demoIds.journey
  return journeyId === demoIds.journey ? <SampleJourneyBoard /> : <JourneyBoardById key={journeyId} id={journeyId} />
}

/** The journey can be another person's, but the board is your own. */
function JourneyBoardById({ id }: { id: string }) {
  const journeyQuery = useQuery(frameJourneyQuery(id))
  const board = useQuery({ ...entityBoardQuery('journey', id), enabled: journeyQuery.isSuccess })
  useCrumb(journeyQuery.data?.journey.title)

  if (isUnavailable(journeyQuery.error) || (!board.data && isUnavailable(board.error))) {
    return (
      <EmptyPanel drawing="path" title="Journey not found" action={<LinkButton to="/keeper">All Keepers</LinkButton>}>
        This journey was deleted or is no longer shared with you.
      </EmptyPanel>
    )
  }
  if (!journeyQuery.data || !board.data) return <BoardPending queries={[journeyQuery, board]} />
  const { journey, source } = journeyQuery.data
  return (
    <>
      <PageHeader
        title={journey.title}
        badges={journey.aiVisible === false && <Badge tone="outlined">Not for AI</Badge>}
        subtitle={journey.purpose}
      />
      {source.kind === 'shared' && (
        <Banner
          tone="info"
          className="mb-4"
          action={
            <LinkButton size="small" to={getSharedJourneyPagePath(source.domainId, id)}>
              Read the journey in the domain
            </LinkButton>
          }
        >
          Someone shares this journey with you in a domain. You can view the journey and arrange this board for
          yourself, but only the owner can change the journey.
        </Banner>
      )}
      <EntityBoard query={board} entityType="journey" entityId={id}>
        <JourneyBoard
          journey={fillJourney(journey)}
          pagePath={source.kind === 'own' && getEntryPath({ entity: 'journey', keeperId: source.keeperId, id })}
        />
      </EntityBoard>
    </>
  )
}

function SampleJourneyBoard() {
  const board = useQuery(entityBoardQuery('journey', demoIds.journey))
  const journey = useQuery(sampleJourneyQuery)
  if (!board.data || !journey.data) return <BoardPending queries={[board, journey]} />
  return (
    <>
      <PageHeader
        title={board.data.name}
        badges={<Badge tone="warning">sample</Badge>}
        subtitle={board.data.description}
      />
      <SampleNote />
      <EntityBoard query={board} entityType="journey" entityId={demoIds.journey} isSample>
        <JourneyBoard journey={journey.data} isSample />
      </EntityBoard>
    </>
  )
}

const modes = [
  { value: 'view', label: 'View' },
  { value: 'edit', label: 'Edit Layout' },
] as const

/** Debounce before the URL is updated. */
const urlUpdateDelayMs = 350
const dayPattern = /^\d{4}-\d\d-\d\d$/

interface JourneyBoardProps {
  journey: ReplayableJourney
  /** Path of the journey's own page, if any. */
  pagePath?: string | false
  isSample?: boolean
}

/** View replays the journey up to `&until=`; `&mode=edit` arranges its frames. */
export function JourneyBoard({ journey, pagePath, isSample = false }: JourneyBoardProps) {
  const [params, setParams] = useSearchParams()
  const { mode, setMode } = useBoardMode(modes)
  const timeline = useMemo(() => createTimeline(journey, toLocalDay(new Date())), [journey])
  // Stored as a day, because positions shift when the timeline grows; null follows its end.
  const [selectedDay, setSelectedDay] = useState(() => {
    const requestedDay = params.get('until') ?? ''
    return dayPattern.test(requestedDay) ? getDayAt(timeline, toPosition(timeline, requestedDay)) : null
  })
  const position = toPosition(timeline, selectedDay)
  const until = getDayAt(timeline, position)

  useEffect(() => {
    const timer = setTimeout(
      () =>
        setParams((current) => (current.get('until') === until ? current : changeParams(current, { until })), {
          replace: true,
        }),
      urlUpdateDelayMs,
    )
    return () => clearTimeout(timer)
  }, [until, setParams])

  return (
    <>
      <div data-chrome className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl
          label="Mode"
          options={modes.map((modeOption) => ({ ...modeOption, disabled: isSample && modeOption.value === 'edit' }))}
          value={isSample ? 'view' : mode}
          onValueChange={setMode}
        />
        {pagePath && (
          <LinkButton to={pagePath} icon={<BookOpenText aria-hidden size={15} />}>
            Journey page
          </LinkButton>
        )}
      </div>
      {mode === 'edit' && !isSample ? (
        <EditBoard
          types={getFrameLibrary('journey')}
          getFrameDefaults={() => ({ entityType: 'journey', entityId: journey.id })}
        />
      ) : (
        <>
          <JourneyScrubber
            timeline={timeline}
            position={position}
            onPositionChange={(next) => setSelectedDay(getDayAt(timeline, next))}
          />
          <JourneyReplayContext value={until}>
            <ReadOnlyBoard isSample={isSample} />
          </JourneyReplayContext>
        </>
      )}
    </>
  )
}
