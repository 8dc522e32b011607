import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { dayIn } from '#contract/keepers/lived-time.ts'

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** `2026-11-20` as `Nov 20, 2026`. */
export function dayInWords(day: string): string {
  return dayFormat.format(new Date(day))
}

export const dayOfInstant = (instant: string, zone: string) => dayInWords(dayIn(zone, Date.parse(instant)))

/** 'Reached Nov 20, 2026', 'Due Dec 1, 2026' or nothing. */
export function standing({ doneAt, dueOn }: Waypoint, zone: string): string {
  if (doneAt) return `Reached ${dayOfInstant(doneAt, zone)}`
  return dueOn ? `Due ${dayInWords(dueOn)}` : ''
}

export const pathsBy = (paths: readonly Path[], state: Path['state']) => paths.filter((path) => path.state === state)

/** One line with Markdown escaped. */
export function markdownLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&')
    .replace(/^([-+]|\d+[.)])/, (start) => (/\d/.test(start) ? start.replace(/[.)]/, '\\$&') : `\\${start}`))
}

export function markdownQuote(text: string): string {
  return quoteMarkdown(text.trim())
}

export function quoteMarkdown(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}
