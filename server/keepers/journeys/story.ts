import { sql } from 'kysely'
import { toSlug } from '#contract/agents/agent-slug.ts'
import type { Journey, Path, Waypoint } from '#contract/keepers/journeys.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import { queryJourneyMoments, toJourney } from './journey-view.ts'
import { listPathsOfJourney, toPaths } from './paths.ts'

interface StoryMoment {
  id: string
  localDate: string
  title: string | null
  body: string
}

export type StoryBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; text: string }
  | { kind: 'line'; text: string }
  | { kind: 'item'; text: string }
  | { kind: 'paragraphs'; text: string }
  | { kind: 'moment'; day: string; title: string | null; text: string }

type StoryJourney = Pick<Journey, 'title' | 'purpose' | 'status' | 'startedOn' | 'endsOn' | 'completedAt'>

function createStory(
  journey: StoryJourney,
  paths: readonly Path[],
  moments: readonly StoryMoment[],
  zone: string,
): StoryBlock[] {
  const momentById = new Map(moments.map((moment) => [moment.id, moment]))
  const takenPaths = filterPaths(paths, 'taken')
  const openPaths = filterPaths(paths, 'open')
  const notTakenPaths = filterPaths(paths, 'not_taken')
  const includedIds = new Set(takenPaths.flatMap(({ waypoints }) => waypoints.flatMap(({ momentIds }) => momentIds)))
  const otherMoments = moments.filter(({ id }) => !includedIds.has(id))
  const openWaypoints = takenPaths.flatMap(({ waypoints }) => waypoints.filter(({ doneAt }) => doneAt === null))
  return [
    createHeading(1, journey.title),
    { kind: 'line', text: formatStatusAndDates(journey, zone) },
    ...toTextBlocks(journey.purpose),
    ...takenPaths.flatMap((path) => [
      createHeading(2, path.title),
      ...path.waypoints.flatMap((waypoint) => createWaypointBlocks(waypoint, momentById, zone)),
    ]),
    ...(otherMoments.length > 0 ? [createHeading(2, 'Along the way'), ...otherMoments.map(createMomentBlock)] : []),
    ...(openWaypoints.length > 0 || openPaths.length > 0
      ? [
          createHeading(2, 'Open'),
          ...openWaypoints.map((waypoint) => createItem(waypoint, zone)),
          ...openPaths.flatMap((path) => createPlannedBlocks(path, zone)),
        ]
      : []),
    ...(notTakenPaths.length > 0
      ? [createHeading(2, 'Not taken'), ...notTakenPaths.flatMap((path) => createPlannedBlocks(path, zone))]
      : []),
  ]
}

function createWaypointBlocks(waypoint: Waypoint, moments: Map<string, StoryMoment>, zone: string): StoryBlock[] {
  const state = formatWaypointState(waypoint, zone)
  return [
    createHeading(3, waypoint.title),
    ...(state ? [{ kind: 'line', text: state } as const] : []),
    ...toTextBlocks(waypoint.note),
    ...waypoint.momentIds.flatMap((id) => moments.get(id) ?? []).map(createMomentBlock),
  ]
}

function createPlannedBlocks(path: Path, zone: string): StoryBlock[] {
  const waypointBlocks = path.waypoints.flatMap((waypoint) => [
    createItem(waypoint, zone),
    ...toTextBlocks(waypoint.note),
  ])
  return [createHeading(3, path.title), ...waypointBlocks]
}

const createHeading = (level: 1 | 2 | 3, text: string): StoryBlock => ({ kind: 'heading', level, text })
const toTextBlocks = (text: string): StoryBlock[] => (text.trim() === '' ? [] : [{ kind: 'paragraphs', text }])
const createItem = (waypoint: Waypoint, zone: string): StoryBlock => ({
  kind: 'item',
  text: [waypoint.title, formatWaypointState(waypoint, zone)].filter(Boolean).join(' · '),
})
const createMomentBlock = ({ localDate, title, body }: StoryMoment): StoryBlock => ({
  kind: 'moment',
  day: formatDay(localDate),
  title,
  text: body,
})

function formatStatusAndDates({ status, startedOn, endsOn, completedAt }: StoryJourney, zone: string): string {
  const states = { planned: 'Planned', active: 'In progress', paused: 'Paused', completed: 'Completed' }
  const fromText = startedOn && `from ${formatDay(startedOn)}`
  const toText = endsOn && `to ${formatDay(endsOn)}`
  const statusText = completedAt ? `Completed ${formatInstantDay(completedAt, zone)}` : states[status]
  return [statusText, [fromText, toText].filter(Boolean).join(' ')].filter(Boolean).join(' · ')
}

/** Characters: three pages a day for ten years. */
const maxStoryLength = 20_000_000

/** The story as a file, with all undeleted moments. @throws Problem 404, 413 for a story beyond the limit */
export async function exportStory(
  services: Services,
  person: Person,
  id: string,
  format: 'md' | 'html',
): Promise<Response> {
  const row = await requireEntryFor(services, person, 'journey', id)
  const paths = await toPaths(services, await listPathsOfJourney(services, id))
  const [journey, moments, zone] = await Promise.all([
    toJourney(services, row),
    loadMoments(services, id),
    getPersonTimezone(services, row.owner_id),
  ])
  const blocks = createStory(journey, paths, moments, zone)
  const text = format === 'md' ? renderStoryMarkdown(blocks) : renderStoryHtml(journey.title, blocks)
  return new Response(text, {
    headers: {
      ...securityHeaders,
      'content-type': format === 'md' ? 'text/markdown; charset=utf-8' : 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="${toSlug(journey.title) || 'journey'}.${format}"`,
      'cache-control': 'no-store',
    },
  })
}

async function loadMoments({ db }: Services, journeyId: string): Promise<StoryMoment[]> {
  const journeyMoments = db
    .selectFrom('moments')
    .where('id', 'in', db.selectFrom(queryJourneyMoments({ db }, [journeyId]).as('linked')).select('linked.id'))
  const [total] = await db.longRead(journeyMoments.select(sql<number>`coalesce(sum(length(body)), 0)`.as('length')))
  if (Number(total?.length) > maxStoryLength)
    throw new Problem('too-large', {
      message:
        'The moments on this journey are too long for one story. Export the keeper instead, which includes them all.',
    })
  const rows = await db.longRead(
    journeyMoments.select(['id', 'local_date', 'title', 'body']).orderBy('occurred_at').orderBy('id'),
  )
  return rows.map(({ id, local_date, title, body }) => ({ id, localDate: local_date, title, body }))
}

export function renderStoryMarkdown(blocks: readonly StoryBlock[]): string {
  const lines = blocks.map((block, index) => {
    const next = blocks[index + 1]
    const text = renderMarkdownBlock(block)
    return block.kind === 'item' && next?.kind === 'item' ? text : `${text}\n`
  })
  return lines.join('\n')
}

function renderMarkdownBlock(block: StoryBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${toMarkdownLine(block.text)}`
    case 'line':
      return `_${toMarkdownLine(block.text)}_`
    case 'item':
      return `- ${toMarkdownLine(block.text)}`
    case 'paragraphs':
      return quoteMarkdown(block.text.trim())
    case 'moment': {
      const heading = [`**${toMarkdownLine(block.day)}**`, block.title && toMarkdownLine(block.title)]
      return [
        heading.filter(Boolean).join(' · '),
        ...(block.text.trim() ? ['', quoteMarkdown(block.text.trim())] : []),
      ].join('\n')
    }
  }
}

const storyStyles = `
  @page { margin: 20mm 18mm }
  body { margin: 0 auto; max-width: 42rem; padding: 3rem 1.25rem; font: 18px/1.55 Newsreader, Georgia, serif; color: #1f242d; background: #fff }
  h1, h2, h3 { font-weight: 500; line-height: 1.25; break-after: avoid }
  h1 { font-size: 2.1rem } h2 { margin-top: 2.5rem; font-size: 1.5rem } h3 { margin-top: 1.75rem; font-size: 1.15rem }
  p { margin: .6rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
  .meta { color: #5b5f66; font: 14px/1.5 system-ui, sans-serif }
  article { margin: 1rem 0; padding-left: 1rem; border-left: 2px solid #c28a2a; break-inside: avoid }
  @media print { body { max-width: none; padding: 0; font-size: 11pt; color: #000 } }`

/** A self-contained page to keep and print; all content is escaped. */
export function renderStoryHtml(title: string, blocks: readonly StoryBlock[]): string {
  const body = blocks.map((block, index) => {
    const startsList = block.kind === 'item' && blocks[index - 1]?.kind !== 'item'
    const endsList = block.kind === 'item' && blocks[index + 1]?.kind !== 'item'
    return `${startsList ? '<ul>\n' : ''}${renderHtmlBlock(block)}${endsList ? '\n</ul>' : ''}`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${storyStyles}
</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`
}

function renderHtmlBlock(block: StoryBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${escapeHtml(block.text)}</h${block.level}>`
    case 'line':
      return `<p class="meta">${escapeHtml(block.text)}</p>`
    case 'item':
      return `<li>${escapeHtml(block.text)}</li>`
    case 'paragraphs':
      return renderParagraphs(block.text)
    case 'moment': {
      const heading = [block.day, block.title].filter(Boolean).join(' · ')
      return `<article>\n<p class="meta">${escapeHtml(heading)}</p>\n${renderParagraphs(block.text)}\n</article>`
    }
  }
}

const renderParagraphs = (text: string) =>
  text
    .trim()
    .split(/(?:\r?\n){2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
    .join('\n')

const entityByCharacter: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => entityByCharacter[char] ?? char)

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

export function quoteMarkdown(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}
