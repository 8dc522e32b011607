import type * as z from 'zod/mini'
import { slugProblem } from '#contract/agents/agent-slug.ts'
import type { Agent } from '#contract/agents/agents.ts'
import type { versions } from '#contract/agents/versions.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { createAgent } from '../save-agent.ts'
import { isSlugTaken, suggestSlug } from '../slugs.ts'

type Given = z.output<NonNullable<(typeof versions.importFile)['body']>>

/**
 * Makes an agent of a file, under the rules of any new agent; nothing that is there is touched. A tool or an agent
 * of the bundle that is not here is refused by name (`data.unknown`), because an agent that quietly lost one answers
 * worse without saying so; sent again with those names in `leave_out`, it is made without them.
 * @throws Problem `slug-taken` with `data.suggestedSlug`
 */
export async function importAgent(services: Services, person: Person, given: Given): Promise<Agent> {
  const { file } = given
  const slug = given.slug || file.agent.slug
  if (given.slug && slugProblem(given.slug)) throw badField('slug', slugProblem(given.slug) ?? '')
  if (slug && (await isSlugTaken(services, slug, person.id))) throw await slugTaken(services, person, slug)
  const without = new Set(given.leave_out)
  const kept = (names: string[] | undefined) => names?.filter((name) => !without.has(name.trim()))
  const { config } = file.agent
  const fields = {
    ...file.agent,
    slug,
    status: file.agent.status === 'error' ? ('error' as const) : ('ready' as const),
    tools: kept(file.agent.tools),
    config: config && { ...config, ...(config.bundle && { bundle: kept(config.bundle) ?? [] }) },
  }
  const along = (agentId: string) => goldenInserts(services, person, agentId, file.golden_questions)
  try {
    return await createAgent(services, person, fields, { origin: 'imported', along })
  } catch (error) {
    // Taken between asking and writing.
    if (error instanceof Problem && error.kind === 'slug-taken') throw await slugTaken(services, person, slug ?? '')
    throw error
  }
}

async function slugTaken(services: Services, person: Person, slug: string): Promise<Problem> {
  const suggestedSlug = await suggestSlug(services, slug, person.id)
  return new Problem('slug-taken', {
    message: `The slug "${slug}" ${slugProblem(slug) ? 'cannot be used' : 'is taken'}. "${suggestedSlug}" is free.`,
    fields: { slug: `This slug ${slugProblem(slug) ? 'cannot be used' : 'is taken'}. Use ${suggestedSlug}` },
    data: { suggestedSlug },
  })
}

function goldenInserts(
  services: Services,
  person: Person,
  agentId: string,
  questions: Given['file']['golden_questions'],
): Write[] {
  const now = services.now().getTime()
  return questions.map((question, index) =>
    services.db.insertInto('golden_questions').values({
      id: services.newId(),
      agent_id: agentId,
      ...question,
      source_run_id: null,
      created_by: person.id,
      // One millisecond apart, so that they keep their order.
      created_at: now + index,
      updated_at: now,
    }),
  )
}
