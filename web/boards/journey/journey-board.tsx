import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { libraryOf } from '#contract/boards/frame-types.ts'
import { localDay } from '#web/ui/days.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { EditBoard } from '../entity/edit-board.tsx'
import { ShownBoard } from '../entity/shown-board.tsx'
import { JourneyScrubber } from './journey-scrubber.tsx'
import { JourneyTime, type JourneyToPlay } from './journey-time.ts'
import { dayAt, placeOfDay, timeLineOf } from './time-line.ts'

const modes = [
  { value: 'view', label: 'View' },
  { value: 'edit', label: 'Edit Layout' },
] as const

/** Debounce before the URL is updated. */
const restMs = 350

/** View replays the journey up to `&until=`; `&mode=edit` arranges its frames. */
export function JourneyBoard({ journey, sample = false }: { journey: JourneyToPlay; sample?: boolean }) {
  const [params, setParams] = useSearchParams()
  const mode = params.get('mode') === 'edit' ? 'edit' : 'view'
  const line = useMemo(() => timeLineOf(journey, localDay(new Date())), [journey])
  // Stored as a day, because positions shift when the timeline grows; null follows its end.
  const [wanted, setWanted] = useState(() => {
    const asked = params.get('until') ?? ''
    return /^\d{4}-\d\d-\d\d$/.test(asked) ? dayAt(line, placeOfDay(line, asked)) : null
  })
  const at = placeOfDay(line, wanted)
  const until = dayAt(line, at)

  useEffect(() => {
    const timer = setTimeout(
      () =>
        setParams(
          (before) => {
            if ((before.get('until') ?? null) === until) return before
            const after = new URLSearchParams(before)
            if (until === null) after.delete('until')
            else after.set('until', until)
            return after
          },
          { replace: true },
        ),
      restMs,
    )
    return () => clearTimeout(timer)
  }, [until, setParams])

  function show(next: string) {
    setParams((before) => {
      const after = new URLSearchParams(before)
      if (next === 'edit') after.set('mode', next)
      else after.delete('mode')
      return after
    })
  }

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SegmentedControl
          label="Mode"
          options={modes.map((each) => ({ ...each, disabled: sample && each.value === 'edit' }))}
          value={sample ? 'view' : mode}
          onValueChange={show}
        />
      </div>
      {mode === 'edit' && !sample ? (
        <EditBoard types={libraryOf('journey')} begin={() => ({ entityType: 'journey', entityId: journey.id })} />
      ) : (
        <>
          <JourneyScrubber line={line} at={at} onAt={(next) => setWanted(dayAt(line, next))} />
          <JourneyTime value={until}>
            <ShownBoard sample={sample} />
          </JourneyTime>
        </>
      )}
    </>
  )
}
