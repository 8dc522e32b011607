import { formatTime } from '#web/ui/format-time.ts'

/** A day without an hour reads the same everywhere: '2026-11-20' is Nov 20, 2026, also west of Greenwich. */
export function dayAt(day: string): string {
  return formatTime(`${day}T12:00:00Z`, 'date', 'UTC')
}
