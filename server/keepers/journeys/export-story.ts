import { sql } from 'kysely'
import { toSlug } from '#contract/agents/agent-slug.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import { createStory, type StoryBlock, type StoryMoment } from './create-story.ts'
import { queryJourneyMoments, toJourney, toPaths } from './journey-view.ts'
import { listPathsOfJourney } from './paths.ts'
import { renderStoryHtml } from './story-as-html.ts'
import { toMarkdownLine, toMarkdownQuote } from './story-text.ts'

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
    const text = renderBlock(block)
    return block.kind === 'item' && next?.kind === 'item' ? text : `${text}\n`
  })
  return lines.join('\n')
}

function renderBlock(block: StoryBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${toMarkdownLine(block.text)}`
    case 'line':
      return `_${toMarkdownLine(block.text)}_`
    case 'item':
      return `- ${toMarkdownLine(block.text)}`
    case 'paragraphs':
      return toMarkdownQuote(block.text)
    case 'moment': {
      const heading = [`**${toMarkdownLine(block.day)}**`, block.title && toMarkdownLine(block.title)]
      return [
        heading.filter(Boolean).join(' · '),
        ...(block.text.trim() ? ['', toMarkdownQuote(block.text)] : []),
      ].join('\n')
    }
  }
}
