import { getLocalTime } from '#contract/keepers/local-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { formatTime, getLocalTimeZone } from '#web/ui/text/format-time.ts'

/** The time of day in the moment's own time zone. */
export function LocalClock({ moment: { occurredAt, timezone } }: { moment: Pick<Moment, 'occurredAt' | 'timezone'> }) {
  const clock = getLocalTime(timezone, Date.parse(occurredAt))
  const [time, dayPeriod] = formatTime(occurredAt, 'time', timezone).split(/\s/)
  const isOtherTimeZone = getLocalTime(getLocalTimeZone(), Date.parse(occurredAt)) !== clock
  return (
    <time dateTime={occurredAt} title={isOtherTimeZone ? `In ${timezone.replaceAll('_', ' ')}` : undefined}>
      {time} {dayPeriod && <span className="block text-small">{dayPeriod}</span>}
    </time>
  )
}
