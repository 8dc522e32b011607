import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { addDays } from '#web/ui/text/days.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import {
  formatProgressAt,
  getNextStop,
  getPreviousStop,
  type JourneyTimeline,
  type TimelineStop,
} from './journey-time.ts'

/** Time per stop while playing. */
const stepMs = 1200
/** Half the thumb width (px), because its center never reaches the ends of the track. */
const thumbInset = 9

interface JourneyScrubberProps {
  timeline: JourneyTimeline
  /** Days since the first day. */
  position: number
  onPositionChange: (position: number) => void
}

export function JourneyScrubber({ timeline, position, onPositionChange }: JourneyScrubberProps) {
  const [isPlaying, setPlaying] = useState(false)
  const { firstDay, lastDay, length, stops } = timeline
  const playStep = useEffectEvent(() => {
    const next = getNextStop(timeline, position)
    if (next !== undefined) onPositionChange(next)
    if (next === undefined || getNextStop(timeline, next) === undefined) setPlaying(false)
  })
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(() => playStep(), stepMs)
    return () => clearInterval(timer)
  }, [isPlaying])

  function toggle() {
    if (!isPlaying && getNextStop(timeline, position) === undefined) onPositionChange(0)
    setPlaying(!isPlaying)
  }
  function moveTo(targetPosition: number) {
    setPlaying(false)
    onPositionChange(targetPosition)
  }
  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== ' ') return
    event.preventDefault()
    toggle()
  }

  const day = formatTime(`${addDays(firstDay, position)}T12:00`)
  const progressText = formatProgressAt(timeline, position)
  return (
    <section
      aria-label="Journey timeline"
      data-chrome
      className="mb-4 rounded-lg border border-border bg-card px-4 pt-3 pb-5 shadow-e1 phone:pb-3"
    >
      <div className="flex items-center gap-3 phone:flex-wrap phone:gap-x-1">
        <span className="flex shrink-0 gap-1">
          <IconButton
            label="Previous event"
            disabled={position === 0}
            onClick={() => moveTo(getPreviousStop(timeline, position))}
          >
            <SkipBack aria-hidden size={16} />
          </IconButton>
          <IconButton label={isPlaying ? 'Pause' : 'Play'} outlined disabled={length === 0} onClick={toggle}>
            {isPlaying ? <Pause aria-hidden size={16} /> : <Play aria-hidden size={16} />}
          </IconButton>
          <IconButton
            label="Next event"
            disabled={position >= length}
            onClick={() => moveTo(getNextStop(timeline, position) ?? length)}
          >
            <SkipForward aria-hidden size={16} />
          </IconButton>
        </span>
        <div className="relative h-9 min-w-0 flex-1 phone:order-1 phone:basis-full">
          <span aria-hidden className="absolute inset-x-[9px] top-1/2 h-1 -translate-y-1/2 rounded-full bg-secondary" />
          <span
            aria-hidden
            className="absolute start-[9px] top-1/2 h-1 -translate-y-1/2 rounded-full bg-ribbon motion-safe:transition-[width] motion-safe:duration-180"
            style={{ width: toTrackPosition(position, length, 0) }}
          />
          {toMarks(stops, length).map((mark) => (
            <span
              key={mark.position}
              aria-hidden
              className={classNames(
                'absolute top-1/2 size-2 -translate-1/2 border',
                mark.reachedTitles.length > 0 ? 'rotate-45' : 'rounded-full',
                mark.position <= position ? 'border-ribbon bg-ribbon' : 'border-input bg-card',
              )}
              style={{ left: toTrackPosition(mark.position, length, thumbInset) }}
            />
          ))}
          <input
            type="range"
            aria-label="Day"
            aria-valuetext={`${day}: ${progressText}`}
            min={0}
            max={length}
            value={position}
            disabled={length === 0}
            onChange={(event) => moveTo(event.currentTarget.valueAsNumber)}
            onKeyDown={handleKeyDown}
            className="absolute inset-0 m-0 w-full cursor-pointer touch-pan-y appearance-none rounded-full bg-transparent disabled:cursor-not-allowed forced-colors:appearance-auto [&::-moz-range-thumb]:size-3.5 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-primary [&::-moz-range-thumb]:bg-card [&::-webkit-slider-thumb]:size-[1.125rem] [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-primary [&::-webkit-slider-thumb]:bg-card [&::-webkit-slider-thumb]:shadow-e1"
          />
          <p
            aria-hidden
            className="pointer-events-none absolute inset-x-0 top-8 flex justify-between text-small text-muted-foreground tabular-nums phone:hidden"
          >
            <span>{formatTime(`${firstDay}T12:00`)}</span>
            <span>{formatTime(`${lastDay}T12:00`)}</span>
          </p>
        </div>
        <output aria-live={isPlaying ? 'polite' : 'off'} className="w-64 shrink-0 text-end tabular-nums phone:contents">
          <span className="block font-serif text-[1.0625rem] leading-6 font-medium phone:flex-1">{day}</span>
          <span className="block text-small text-muted-foreground phone:order-2 phone:basis-full phone:text-start">
            {progressText}
          </span>
        </output>
      </div>
    </section>
  )
}

/** CSS position of a day on the track. */
const toTrackPosition = (position: number, length: number, offset: number) =>
  `calc(${offset}px + ${length === 0 ? 0 : position / length} * (100% - ${2 * thumbInset}px))`

const maxMarkPositions = 200

/** At most one mark per 0.5% of the track. */
function toMarks(stops: readonly TimelineStop[], length: number): TimelineStop[] {
  const marks = new Map<number, TimelineStop>()
  for (const stop of stops) {
    if (stop.momentCount === 0 && stop.reachedTitles.length === 0) continue
    const bucket = length === 0 ? 0 : Math.round((stop.position / length) * maxMarkPositions)
    const existing = marks.get(bucket)
    if (!existing || (existing.reachedTitles.length === 0 && stop.reachedTitles.length > 0)) marks.set(bucket, stop)
  }
  return [...marks.values()]
}
