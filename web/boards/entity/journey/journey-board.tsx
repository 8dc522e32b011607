import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { getFrameLibrary } from '#contract/boards/frame-types.ts'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { toLocalDay } from '#web/ui/text/days.ts'
import { EditBoard } from '../edit-board.tsx'
import { ReadOnlyBoard } from '../read-only-board.tsx'
import { JourneyScrubber } from './journey-scrubber.tsx'
import { JourneyReplayContext, type ReplayableJourney } from './journey-time.ts'
import { createTimeline, getDayAt, toPosition } from './journey-timeline.ts'

const modes = [
  { value: 'view', label: 'View' },
  { value: 'edit', label: 'Edit Layout' },
] as const

/** Debounce before the URL is updated. */
const urlUpdateDelayMs = 350

/** View replays the journey up to `&until=`; `&mode=edit` arranges its frames. */
export function JourneyBoard({ journey, sample = false }: { journey: ReplayableJourney; sample?: boolean }) {
  const [params, setParams] = useSearchParams()
  const mode = params.get('mode') === 'edit' ? 'edit' : 'view'
  const timeline = useMemo(() => createTimeline(journey, toLocalDay(new Date())), [journey])
  // Stored as a day, because positions shift when the timeline grows; null follows its end.
  const [selectedDay, setSelectedDay] = useState(() => {
    const requestedDay = params.get('until') ?? ''
    return /^\d{4}-\d\d-\d\d$/.test(requestedDay) ? getDayAt(timeline, toPosition(timeline, requestedDay)) : null
  })
  const position = toPosition(timeline, selectedDay)
  const until = getDayAt(timeline, position)

  useEffect(() => {
    const timer = setTimeout(
      () =>
        setParams(
          (currentParams) => {
            if ((currentParams.get('until') ?? null) === until) return currentParams
            const nextParams = new URLSearchParams(currentParams)
            if (until === null) nextParams.delete('until')
            else nextParams.set('until', until)
            return nextParams
          },
          { replace: true },
        ),
      urlUpdateDelayMs,
    )
    return () => clearTimeout(timer)
  }, [until, setParams])

  function updateParams(next: string) {
    setParams((currentParams) => {
      const nextParams = new URLSearchParams(currentParams)
      if (next === 'edit') nextParams.set('mode', next)
      else nextParams.delete('mode')
      return nextParams
    })
  }

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SegmentedControl
          label="Mode"
          options={modes.map((modeOption) => ({ ...modeOption, disabled: sample && modeOption.value === 'edit' }))}
          value={sample ? 'view' : mode}
          onValueChange={updateParams}
        />
      </div>
      {mode === 'edit' && !sample ? (
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
            <ReadOnlyBoard sample={sample} />
          </JourneyReplayContext>
        </>
      )}
    </>
  )
}
