import { sql } from 'kysely'
import { slugFrom } from '#contract/agents/agent-slug.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { livedZone } from '../lived-zone.ts'
import { journeyView, momentsOn, pathViews } from './journey-view.ts'
import { pathsOfJourney } from './require-path.ts'
import { storyAsHtml } from './story-as-html.ts'
import { storyAsMarkdown } from './story-as-markdown.ts'
import { type StoryMoment, tellStory } from './tell-story.ts'

/** Characters: three pages a day for ten years. */
const longestStory = 20_000_000

/** The story as a file, with all undeleted moments. @throws Problem 404, 413 for a story beyond the limit */
export async function journeyStory(
  services: Services,
  person: Person,
  id: string,
  format: 'md' | 'html',
): Promise<Response> {
  const row = await requireEntryFor(services, person, 'journey', id)
  const paths = await pathViews(services, await pathsOfJourney(services, id))
  const [journey, moments, zone] = await Promise.all([
    journeyView(services, row),
    wholeMoments(services, id),
    livedZone(services, row.owner_id),
  ])
  const blocks = tellStory(journey, paths, moments, zone)
  const text = format === 'md' ? storyAsMarkdown(blocks) : storyAsHtml(journey.title, blocks)
  return new Response(text, {
    headers: {
      ...securityHeaders,
      'content-type': format === 'md' ? 'text/markdown; charset=utf-8' : 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="${slugFrom(journey.title) || 'journey'}.${format}"`,
      'cache-control': 'no-store',
    },
  })
}

/** Oldest first. */
async function wholeMoments({ db }: Services, journeyId: string): Promise<StoryMoment[]> {
  const lying = db
    .selectFrom('moments')
    .where('id', 'in', db.selectFrom(momentsOn({ db }, [journeyId]).as('lying')).select('lying.id'))
  const [all] = await db.longRead(lying.select(sql<number>`coalesce(sum(length(body)), 0)`.as('length')))
  if (Number(all?.length) > longestStory)
    throw new Problem('too-large', {
      message:
        'The moments on this journey are too long for one story. Export the keeper instead, which includes them all.',
    })
  const rows = await db.longRead(
    lying.select(['id', 'local_date', 'title', 'body']).orderBy('occurred_at').orderBy('id'),
  )
  return rows.map(({ id, local_date, title, body }) => ({ id, localDate: local_date, title, body }))
}
