import { countDaysBetween, toLocalDay } from '#web/ui/text/days.ts'

const hourCycle = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hourCycle
const timeOptions = { hour: 'numeric', minute: '2-digit', second: '2-digit', hourCycle } as const
const todayFormat = new Intl.DateTimeFormat('en-US', timeOptions)
const thisYearFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...timeOptions })
const fullFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', ...timeOptions })

export function formatShortTime(value: string, now = new Date()): string {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return value
  if (date.toDateString() === now.toDateString()) return todayFormat.format(date)
  return (date.getFullYear() === now.getFullYear() ? thisYearFormat : fullFormat).format(date)
}

export function formatFullTime(value: string): string {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : fullFormat.format(date)
}

export function formatRelativeDay(value: string, now = new Date()): string {
  const date = new Date(value)
  const days = countDaysBetween(toLocalDay(date), toLocalDay(now))
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  if (days < 7) return new Intl.DateTimeFormat('en-US', { weekday: 'long' }).format(date)
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year }).format(date)
}
