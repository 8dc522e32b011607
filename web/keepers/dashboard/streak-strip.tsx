import { useId } from 'react'
import type { Dashboard } from '#contract/keepers/dashboard.ts'
import { type DayDot, DayDots } from '#web/ui/drawings/day-dots.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

type Streak = Dashboard['streak']
const maxVisibleDays = 21

/** Shows the last three weeks as dots and the last six as a heat strip. */
export function StreakStrip({ streak }: { streak: Streak }) {
  const titleId = useId()
  const { current, longest, days } = streak
  const forgivenDays = listForgivenDays(streak)
  const visibleDays = days.slice(-maxVisibleDays)
  const writtenDayCount = visibleDays.filter(({ count }) => count > 0).length
  const firstDay = visibleDays[0]
  const title = current === 0 ? `Your last ${visibleDays.length} days` : `${pluralize(current, 'day')} in a row`
  return (
    <section aria-labelledby={titleId}>
      <div className="flex items-baseline gap-2">
        <h2 dir="auto" id={titleId} className="font-sans text-ui font-semibold tracking-normal">
          {title}
        </h2>
        {longest > 0 && (
          <span className="ms-auto text-small text-muted-foreground tabular-nums">Longest: {longest}</span>
        )}
      </div>
      <DayDots
        days={visibleDays.map((day) => (forgivenDays.includes(day.date) ? 'forgiven' : toDayDot(day)))}
        label={`Last ${maxVisibleDays} days, ${writtenDayCount} written`}
      />
      <div className="flex justify-between text-small text-muted-foreground">
        <span>{firstDay && formatTime(`${firstDay.date}T12:00:00`)}</span>
        <span>Today</span>
      </div>
      {forgivenDays[0] && (
        <p className="mt-1 text-small text-muted-foreground">
          {dayFormat.format(Date.parse(forgivenDays[0]))} was forgiven: one missed day in seven doesn’t end a streak.
        </p>
      )}
      <HeatStrip days={days} />
    </section>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })

/** The missed days inside the current streak, latest first, as far back as `days` go. */
export function listForgivenDays({
  current,
  graceUsed,
  days,
}: Pick<Streak, 'current' | 'graceUsed' | 'days'>): string[] {
  if (!graceUsed) return []
  const forgivenDays: string[] = []
  let writtenDayCount = 0
  // Today isn't over, so it doesn't count as missed.
  for (const [index, { date, count }] of days.toReversed().entries()) {
    if (writtenDayCount === current) break
    if (count > 0) writtenDayCount++
    else if (index > 0) forgivenDays.push(date)
  }
  return forgivenDays
}

function toDayDot({ count, kept: isKept }: Streak['days'][number]): DayDot {
  if (isKept) return 'kept'
  return count > 0 ? 'written' : 'missed'
}

const shades = ['fill-muted', 'fill-chart1/35', 'fill-chart1/60', 'fill-chart1/80', 'fill-chart1']
const maxShade = shades.length - 1
const cellSize = 12
const cellStep = 15

/** Six weeks of days; the darker the shade, the more entries that day. */
function HeatStrip({ days }: { days: Streak['days'] }) {
  const writtenDayCount = days.filter(({ count }) => count > 0).length
  return (
    <figure className="mt-4">
      <figcaption className="flex items-center justify-between gap-x-3 text-small text-muted-foreground tabular-nums">
        Written on {writtenDayCount} of the last {days.length} days
        <span aria-hidden className="flex items-center gap-1.5">
          1
          <Cells days={shades.slice(1).map((_, index) => ({ count: index + 1 }))} className="h-2" />
          {maxShade}+
        </span>
      </figcaption>
      <Cells days={days} className="mt-1.5 w-full" />
    </figure>
  )
}

type HeatDay = Pick<Streak['days'][number], 'count'> & Partial<Streak['days'][number]>

const formatHeatDay = ({ date, count, mood }: HeatDay) =>
  [
    `${formatTime(`${date}T12:00:00`)}: ${pluralize(count, 'entry', 'entries')}`,
    ...(typeof mood === 'number' ? [`mood ${mood.toFixed(1)}`] : []),
  ].join(', ')

/** A day with a date has a tooltip with its number of entries. */
function Cells({ days, className }: { days: readonly HeatDay[]; className: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${days.length * cellStep - (cellStep - cellSize)} ${cellSize}`}
      className={className}
    >
      {days.map((day, index) => (
        <rect
          key={day.date ?? index}
          x={index * cellStep}
          width={cellSize}
          height={cellSize}
          rx="2.5"
          className={shades[Math.min(day.count, maxShade)]}
        >
          {day.date && <title>{formatHeatDay(day)}</title>}
        </rect>
      ))}
    </svg>
  )
}
