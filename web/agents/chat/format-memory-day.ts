import { formatTime } from '#web/ui/text/format-time.ts'

/** 'Nov 20, 2026'. */
export const formatMemoryDay = (day: string) => formatTime(`${day}T12:00:00Z`, 'date', 'UTC')
