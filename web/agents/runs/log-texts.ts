import type { AgentLog, RunDetail } from '#contract/agents/runs.ts'
import { countDaysBetween, toLocalDay } from '#web/ui/text/days.ts'

export function truncateInput(input: string, length: number): string {
  const characters = [...input]
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : input
}

export function getRunUserName(user: AgentLog['user']): string {
  return user ? user.name || user.email || user.id : 'A visitor'
}

export function parseOutput(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return output
  }
}

/** The answer's text; '' if empty, undefined if not visible to this user. */
export function getAnswerText({
  model_settings,
  output,
}: Pick<RunDetail, 'model_settings' | 'output'>): string | undefined {
  if (model_settings === null) return
  const value = output === null ? '' : parseOutput(output)
  if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string')
    return value.text
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

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
