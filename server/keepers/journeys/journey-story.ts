import { slugFrom } from '#contract/agents/agent-slug.ts'
import type { Person } from '#server/accounts/person.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'
import { storyAsHtml } from './story-as-html.ts'
import { storyAsMarkdown } from './story-as-markdown.ts'
import { tellStory } from './tell-story.ts'
import { showJourney } from './write-journey.ts'

/** The story as a file, with every moment on the journey in its full words. What lies in the bin is not in it. */
export async function journeyStory(
  services: Services,
  person: Person,
  id: string,
  format: 'md' | 'html',
): Promise<Response> {
  const { paths, beads, ...journey } = await showJourney(services, person, id)
  const ids = beads.map((bead) => bead.id)
  const bodies =
    ids.length === 0
      ? []
      : await services.db.longRead(
          services.db
            .selectFrom('moments')
            .select(['id', 'body'])
            .where('id', 'in', ids)
            .where('deleted_at', 'is', null),
        )
  const bodyOf = new Map(bodies.map((row) => [row.id, row.body]))
  const moments = beads.flatMap((bead) => {
    const body = bodyOf.get(bead.id)
    return body === undefined ? [] : [{ ...bead, body }]
  })
  const blocks = tellStory(journey, paths, moments)
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
