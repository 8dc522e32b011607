import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

export function formatDay(day: string): string {
  return dayFormat.format(new Date(day))
}

export const formatInstantDay = (instant: string, zone: string) => formatDay(getLocalDay(zone, Date.parse(instant)))

export function formatWaypointState({ doneAt, dueOn }: Waypoint, zone: string): string {
  if (doneAt) return `Reached ${formatInstantDay(doneAt, zone)}`
  return dueOn ? `Due ${formatDay(dueOn)}` : ''
}

export const filterPaths = (paths: readonly Path[], state: Path['state']) =>
  paths.filter((path) => path.state === state)

export function toMarkdownLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&')
    .replace(/^([-+]|\d+[.)])/, (start) => (/\d/.test(start) ? start.replace(/[.)]/, '\\$&') : `\\${start}`))
}

export function toMarkdownQuote(text: string): string {
  return quoteMarkdown(text.trim())
}

export function quoteMarkdown(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}
