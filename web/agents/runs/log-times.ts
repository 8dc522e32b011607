import { daysBetween, localDay } from '#web/ui/days.ts'

const hourCycle = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hourCycle
const clock = { hour: 'numeric', minute: '2-digit', second: '2-digit', hourCycle } as const
const today = new Intl.DateTimeFormat('en-US', clock)
const thisYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...clock })
const whole = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', ...clock })

/** Time only if today, else with the date. */
export function shortTime(value: string, now = new Date()): string {
  const moment = new Date(value)
  if (Number.isNaN(moment.getTime())) return value
  if (moment.toDateString() === now.toDateString()) return today.format(moment)
  return (moment.getFullYear() === now.getFullYear() ? thisYear : whole).format(moment)
}

export function wholeTime(value: string): string {
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? value : whole.format(moment)
}

export function spokenDay(value: string, now = new Date()): string {
  const moment = new Date(value)
  const days = daysBetween(localDay(moment), localDay(now))
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  if (days < 7) return new Intl.DateTimeFormat('en-US', { weekday: 'long' }).format(moment)
  const year = moment.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year }).format(moment)
}
