import { formatTime } from '#web/ui/text/format-time.ts'

/** Formats a calendar day independently of the time zone. */
export function formatCalendarDay(day: string): string {
  return formatTime(`${day}T12:00:00Z`, 'date', 'UTC')
}
