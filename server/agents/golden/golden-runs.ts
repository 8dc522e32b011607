import { type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { agentChanges } from '#contract/agents/agents.ts'
import type {
  ComparedModels,
  GoldenResult,
  GoldenRun,
  GoldenRunSummary,
  goldenQuestions,
} from '#contract/agents/golden-questions.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { canRun, requireEditableAgent, type VisibleAgent } from '../agent-access.ts'
import { type AgentRow, toSnapshot } from '../agent-view.ts'
import { withChanges } from '../save-agent.ts'
import { refuseInvalidSlug } from '../slugs.ts'
import { validateAgent } from '../validate-agent.ts'
import { executeGoldenRun, goldenLeaseMs } from './execute-golden-run.ts'
import { listQuestionRows, toUnaskedResult } from './golden-questions.ts'
import { createPublishedAnswerLookup } from './published-answers.ts'

export type GoldenRunRow = Selectable<Schema['golden_runs']>
type GoldenRunRequest = z.output<typeof goldenQuestions.run.body & {}>
const maxListedRuns = 20

/** @throws Problem `unprocessable` without questions or for a speaking agent, `conflict` during a run; the problems of saving `changes` */
export async function startGoldenRun(
  services: Services,
  person: Person,
  agentId: string,
  { changes, compare_models: models }: GoldenRunRequest,
): Promise<GoldenRun> {
  const agent = await requireEditableAgent(services, person, agentId)
  if (!canRun(agent, person)) throw new Problem('forbidden', { message: 'You can edit this agent but not run it.' })
  if (changes && changes.id !== agent.id && changes.id !== agent.slug)
    throw badField('changes.id', 'These changes belong to another agent.')
  const [candidate = null, secondCandidate = null] = await buildCandidates(services, person, agent, { changes, models })
  if ((candidate ?? agent).status !== 'ready')
    throw new Problem('agent-not-ready', {
      message: `${agent.name} is not ready. Set its status to ready before running it.`,
    })
  if ([agent, candidate].some((version) => version?.model_provider === 'elevenlabs'))
    throw new Problem('unprocessable', {
      message: `Golden questions are for agents that answer in text. Choose a provider other than ElevenLabs for ${agent.name} and save it first.`,
    })
  const questions = await listQuestionRows(services, agent.id)
  if (questions.length === 0)
    throw new Problem('unprocessable', { message: 'There are no golden questions to ask. Add one first.' })

  const getPublishedAnswer = await createPublishedAnswerLookup(services, person, agent)
  const getEarlierAnswer = models
    ? await createPublishedAnswerLookup(services, person, agent, { anyVersion: true })
    : null
  const results: GoldenResult[] = questions.map((row) => ({ ...toUnaskedResult(row), before: getPublishedAnswer(row) }))
  const row = buildGoldenRunRow(services, person, agent, {
    candidate: candidate && toSnapshot(candidate),
    models: models && candidate ? toComparedModels(agent, candidate, secondCandidate) : null,
    results,
  })
  await insertUnlessRunning(services, row)
  executeGoldenRun(services, {
    id: row.id,
    person,
    results,
    ...(models
      ? {
          agent: withoutFallback(agent),
          candidate: candidate && withoutFallback(candidate),
          secondCandidate: secondCandidate && withoutFallback(secondCandidate),
        }
      : { agent, candidate, secondCandidate }),
    earlierAnswers: questions.map((question) => getEarlierAnswer?.(question) ?? null),
  })
  return toGoldenRunView(services, row)
}

export function buildGoldenRunRow(
  services: Services,
  person: Person,
  agent: AgentRow,
  columns: Pick<GoldenRunRow, 'results'> & Partial<GoldenRunRow>,
): GoldenRunRow {
  const now = services.now().getTime()
  return {
    id: services.newId(),
    agent_id: agent.id,
    person_id: person.id,
    base_rev: agent.rev,
    candidate: null,
    models: null,
    memory_check_id: null,
    memory_hash: null,
    status: 'running',
    created_at: now,
    finished_at: null,
    lease_until: now + goldenLeaseMs,
    ...columns,
  }
}

async function buildCandidates(
  services: Services,
  person: Person,
  agent: VisibleAgent,
  { changes, models }: { changes: GoldenRunRequest['changes']; models: string[] | undefined },
): Promise<VisibleAgent[]> {
  if (!models) return changes ? [await buildCandidate(services, person, agent, changes)] : []
  if (changes) throw badField('changes', 'Models can only be compared for the saved agent.')
  const comparedModels = [agent.model_settings.model, ...models]
  if (new Set(comparedModels).size < comparedModels.length)
    throw badField('compare_models', 'Choose models that differ from each other and from the current one.')
  return Promise.all(models.map((model) => buildCandidate(services, person, agent, { id: agent.id, model })))
}

function toComparedModels(current: AgentRow, candidate: AgentRow, secondCandidate: AgentRow | null): ComparedModels {
  return {
    before: current.model_settings.model,
    after: candidate.model_settings.model,
    ...(secondCandidate && { second: secondCandidate.model_settings.model }),
  }
}

/** A fallback model would answer in place of the compared one. */
function withoutFallback(agent: AgentRow): AgentRow {
  const { fallback_model: _fallback, ...config } = agent.config
  return { ...agent, config }
}

async function buildCandidate(
  services: Services,
  person: Person,
  agent: VisibleAgent,
  changes: z.output<typeof agentChanges>,
): Promise<VisibleAgent> {
  const candidate = withChanges(services, agent, changes)
  if (candidate.slug !== agent.slug) refuseInvalidSlug(candidate.slug)
  await validateAgent(services, person, candidate, agent)
  return { ...candidate, slug: agent.slug, rev: agent.rev }
}

/** Answers can contain keeper content of the requester, so only that person sees the golden run. */
function selectOwnRuns(services: Services, person: Person, agentId: string) {
  return (
    services.db
      .selectFrom('golden_runs')
      .selectAll()
      .where('agent_id', '=', agentId)
      .where('person_id', '=', person.id)
      // Memory check runs appear with their approval.
      .where('memory_check_id', 'is', null)
  )
}

export async function listGoldenRuns(services: Services, person: Person, agentId: string): Promise<GoldenRunSummary[]> {
  const agent = await requireEditableAgent(services, person, agentId)
  const rows = await selectOwnRuns(services, person, agent.id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxListedRuns)
    .execute()
  return rows.map((row) => {
    const { results: _results, ...summary } = toGoldenRunView(services, row)
    return summary
  })
}

type GoldenRunParams = { agentId: string; goldenRunId: string }

export async function showGoldenRun(services: Services, person: Person, params: GoldenRunParams): Promise<GoldenRun> {
  const agent = await requireEditableAgent(services, person, params.agentId)
  const row = await selectOwnRuns(services, person, agent.id).where('id', '=', params.goldenRunId).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Golden run not found' })
  return toGoldenRunView(services, row)
}

/** The executing process notices the stop when it next renews its lease. */
export async function stopGoldenRun(services: Services, person: Person, params: GoldenRunParams): Promise<GoldenRun> {
  const run = await showGoldenRun(services, person, params)
  await services.db
    .updateTable('golden_runs')
    .set({ status: 'stopped', finished_at: services.now().getTime() })
    .where('id', '=', run.id)
    .where('status', '=', 'running')
    .execute()
  return showGoldenRun(services, person, params)
}

function toGoldenRunView(services: Services, row: GoldenRunRow): GoldenRun {
  const isAbandoned = row.status === 'running' && row.lease_until < services.now().getTime()
  return {
    id: row.id,
    status: isAbandoned ? 'interrupted' : row.status,
    base_version: row.base_rev,
    unsaved: row.candidate !== null,
    models: row.models,
    passed: row.results.filter(({ after }) => after?.passed).length,
    total: row.results.length,
    created_at: toIsoTime(row.created_at),
    finished_at: toIsoTimeOrNull(row.finished_at),
    results: row.results.map((result) => ({ ...result, second: result.second ?? null })),
  }
}

/** @throws Problem `conflict` while another golden run of this person and agent is running, `not-found` if the agent is deleted */
export async function insertUnlessRunning(services: Services, row: GoldenRunRow): Promise<void> {
  const { db } = services
  // Locks the agent's row until the batch ends, so that the second of two concurrent starts sees the first.
  const lockAgent = db.updateTable('agents').set({ rev: sql<number>`rev` }).where('id', '=', row.agent_id)
  const touchRunningRuns = db
    .updateTable('golden_runs')
    .set({ status: 'running' })
    .where('agent_id', '=', row.agent_id)
    .where('person_id', '=', row.person_id)
    .where('status', '=', 'running')
    .where('lease_until', '>', row.created_at)
  const insert = db.insertInto('golden_runs').values({
    ...row,
    candidate: row.candidate && json(row.candidate),
    models: row.models && json(row.models),
    results: json(row.results),
  })
  try {
    await db.batch([lockAgent, ...(row.status === 'running' ? [requireChanges(touchRunningRuns, 0)] : []), insert])
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw new Problem('not-found', { message: 'Agent not found' })
    if (!(error instanceof UnexpectedChanges)) throw error
    throw new Problem('conflict', {
      message: 'This agent’s golden questions are already running. Wait for them to finish, or stop them first.',
    })
  }
}
