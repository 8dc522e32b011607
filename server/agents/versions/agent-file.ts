import type * as z from 'zod/mini'
import { getSlugProblem } from '#contract/agents/agent-slug.ts'
import type { Agent } from '#contract/agents/agents.ts'
import type { AgentFile, versions } from '#contract/agents/versions.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { canEdit, requireAgentFor } from '../agent-access.ts'
import { type AgentRow, toSnapshot } from '../agent-view.ts'
import { listQuestionRows } from '../golden/golden-questions.ts'
import { createAgent } from '../save-agent.ts'
import { isSlugTaken, refuseInvalidSlug, suggestSlug } from '../slugs.ts'

export async function exportAgent(services: Services, person: Person, idOrSlug: string): Promise<Reply<AgentFile>> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  const file = await buildAgentFile(services, agent, { withQuestions: canEdit(agent, person) })
  return new Reply(file, { headers: { 'content-disposition': `attachment; filename="${agent.slug}.agent.json"` } })
}

export async function buildAgentFile(
  services: Services,
  agent: AgentRow,
  { withQuestions }: { withQuestions: boolean },
): Promise<AgentFile> {
  const questions = withQuestions ? await listQuestionRows(services, agent.id) : []
  return {
    keeper: 'agent',
    format: 1,
    exported_at: services.now().toISOString(),
    agent: toSnapshot(agent),
    golden_questions: questions.map(({ question, expectation, judged_by }) => ({ question, expectation, judged_by })),
  }
}

type ImportAgentInput = z.output<NonNullable<(typeof versions.importFile)['body']>>

/** Imports without the tools and agents in `leave_out`. @throws Problem naming other unknown ones in `data.unknown`; `slug-taken` */
export async function importAgent(services: Services, person: Person, input: ImportAgentInput): Promise<Agent> {
  const { file } = input
  const slug = input.slug || file.agent.slug
  if (input.slug) refuseInvalidSlug(input.slug)
  if (slug && (await isSlugTaken(services, slug, person.id))) throw await createSlugTakenProblem(services, person, slug)
  const omittedNames = new Set(input.leave_out)
  const filterNames = (names: string[] | undefined) => names?.filter((name) => !omittedNames.has(name.trim()))
  const { config } = file.agent
  const fields = {
    ...file.agent,
    slug,
    status: file.agent.status === 'error' ? ('error' as const) : ('ready' as const),
    tools: filterNames(file.agent.tools),
    config: config && { ...config, ...(config.bundle && { bundle: filterNames(config.bundle) ?? [] }) },
  }
  const extraWrites = (agentId: string) => buildQuestionInserts(services, person, agentId, file.golden_questions)
  try {
    return await createAgent(services, person, fields, { origin: 'imported', extraWrites })
  } catch (error) {
    if (error instanceof Problem && error.kind === 'slug-taken')
      throw await createSlugTakenProblem(services, person, slug ?? '')
    throw error
  }
}

async function createSlugTakenProblem(services: Services, person: Person, slug: string): Promise<Problem> {
  const suggestedSlug = await suggestSlug(services, slug, person.id)
  const reason = getSlugProblem(slug) ? 'can’t be used' : 'is taken'
  return new Problem('slug-taken', {
    message: `The slug "${slug}" ${reason}. "${suggestedSlug}" is free.`,
    fields: { slug: `This slug ${reason}. Use ${suggestedSlug}` },
    data: { suggestedSlug },
  })
}

function buildQuestionInserts(
  services: Services,
  person: Person,
  agentId: string,
  questions: ImportAgentInput['file']['golden_questions'],
): Write[] {
  const now = services.now().getTime()
  return questions.map((question, index) =>
    services.db.insertInto('golden_questions').values({
      id: services.newId(),
      agent_id: agentId,
      ...question,
      source_run_id: null,
      created_by: person.id,
      created_at: now + index,
      updated_at: now,
    }),
  )
}
