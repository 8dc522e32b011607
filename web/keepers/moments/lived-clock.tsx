import { clockIn } from '#contract/keepers/lived-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { formatTime, ownTimeZone } from '#web/ui/format-time.ts'

/** The time of day in the moment's own time zone. */
export function LivedClock({ moment: { occurredAt, timezone } }: { moment: Pick<Moment, 'occurredAt' | 'timezone'> }) {
  const clock = clockIn(timezone, Date.parse(occurredAt))
  const [hour, half] = formatTime(occurredAt, 'time', timezone).split(/\s/)
  const elsewhere = clockIn(ownTimeZone(), Date.parse(occurredAt)) !== clock
  return (
    <time dateTime={occurredAt} title={elsewhere ? `In ${timezone.replaceAll('_', ' ')}` : undefined}>
      {hour} {half && <span className="block text-small">{half}</span>}
    </time>
  )
}
