import type { Selectable } from 'kysely'
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
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import { mayRun, requireEditableFor, type SeenAgent } from '../agent-access.ts'
import type { AgentRow } from '../agent-row.ts'
import { refuseWhatCannotRun } from '../refuse-what-cannot-run.ts'
import { withChanges } from '../save-agent.ts'
import { refuseSlug } from '../slugs.ts'
import { snapshotOf } from '../versions/agent-snapshot.ts'
import { beginGoldenRun, goldenLeaseMs } from './carry-out-golden-run.ts'
import { questionsOf, toUnaskedResult } from './golden-questions.ts'
import { insertUnlessOneGoesOn } from './insert-golden-run.ts'
import { publishedAnswers } from './published-answers.ts'

type RunRow = Selectable<Schema['golden_runs']>
type GoldenRunRequest = z.output<typeof goldenQuestions.run.body & {}>
const mostRuns = 20

/**
 * Asks every golden question in the background: the saved agent, the agent with `changes`, or one or two other models.
 * @throws Problem `unprocessable` without questions or for a speaking agent, `conflict` while a run is in progress,
 *   and any problem that would prevent saving the changes
 */
export async function startGoldenRun(
  services: Services,
  person: Person,
  agentId: string,
  { changes, compare_models: models }: GoldenRunRequest,
): Promise<GoldenRun> {
  const agent = await requireEditableFor(services, person, agentId)
  if (!mayRun(agent, person)) throw new Problem('forbidden', { message: 'You can edit this agent but not run it.' })
  if (changes && changes.id !== agent.id && changes.id !== agent.slug)
    throw badField('changes.id', 'These changes belong to another agent.')
  const now = services.now().getTime()
  const [candidate = null, second = null] = models
    ? await requireCandidates(services, person, agent, { changes, models })
    : [changes ? await candidateOf(services, person, agent, changes) : null]
  if ((candidate ?? agent).status !== 'ready')
    throw new Problem('agent-not-ready', {
      message: `${agent.name} is not ready. Set its status to ready before running it.`,
    })
  if ([agent, candidate].some((each) => each?.model_provider === 'elevenlabs'))
    throw new Problem('unprocessable', {
      message: `Golden questions are for agents that answer in text. Choose a provider other than ElevenLabs for ${agent.name} and save it first.`,
    })
  const questions = await questionsOf(services, agent.id)
  if (questions.length === 0)
    throw new Problem('unprocessable', { message: 'There are no golden questions to ask. Add one first.' })

  const known = await publishedAnswers(services, person, agent)
  const earlier = models ? await publishedAnswers(services, person, agent, { anyVersion: true }) : null
  const results: GoldenResult[] = questions.map((row) => ({ ...toUnaskedResult(row), before: known(row) }))
  const row: RunRow = {
    id: services.newId(),
    agent_id: agent.id,
    person_id: person.id,
    base_rev: agent.rev,
    candidate: candidate && snapshotOf(candidate),
    models: models && candidate ? toComparedModels(agent, candidate, second) : null,
    memory_check_id: null,
    memory_hash: null,
    status: 'running',
    results,
    created_at: now,
    finished_at: null,
    lease_until: now + goldenLeaseMs,
  }
  await insertUnlessOneGoesOn(services, row)
  beginGoldenRun(services, {
    ...{ id: row.id, person, results },
    ...(models
      ? {
          agent: withoutFallback(agent),
          candidate: candidate && withoutFallback(candidate),
          second: second && withoutFallback(second),
        }
      : { agent, candidate, second }),
    earlier: questions.map((question) => earlier?.(question) ?? null),
  })
  return runView(services, row)
}

async function requireCandidates(
  services: Services,
  person: Person,
  agent: SeenAgent,
  { changes, models }: { changes: GoldenRunRequest['changes']; models: string[] },
): Promise<SeenAgent[]> {
  if (changes) throw badField('changes', 'Models can only be compared for the saved agent.')
  if (new Set([agent.model_settings.model, ...models]).size <= models.length)
    throw badField('compare_models', 'Choose models that differ from each other and from the current one.')
  return Promise.all(models.map((model) => candidateOf(services, person, agent, { id: agent.id, model })))
}

function toComparedModels(before: AgentRow, after: AgentRow, second: AgentRow | null): ComparedModels {
  return {
    before: before.model_settings.model,
    after: after.model_settings.model,
    ...(second && { second: second.model_settings.model }),
  }
}

/** A fallback model would answer in place of the compared one. */
function withoutFallback(agent: AgentRow): AgentRow {
  const { fallback_model: _fallback, ...config } = agent.config
  return { ...agent, config }
}

/** Keeps the current slug and revision, which the logs use. */
async function candidateOf(
  services: Services,
  person: Person,
  agent: SeenAgent,
  changes: z.output<typeof agentChanges>,
): Promise<SeenAgent> {
  const candidate = withChanges(services, agent, changes)
  if (candidate.slug !== agent.slug) refuseSlug(candidate.slug)
  await refuseWhatCannotRun(services, person, candidate, agent)
  return { ...candidate, slug: agent.slug, rev: agent.rev }
}

/** Answers can contain keeper content of the requester, so only that person sees the golden run. */
function ownRuns(services: Services, person: Person, agentId: string) {
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
  const agent = await requireEditableFor(services, person, agentId)
  const rows = await ownRuns(services, person, agent.id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostRuns)
    .execute()
  return rows.map((row) => {
    const { results: _results, ...summary } = runView(services, row)
    return summary
  })
}

type Which = { agentId: string; goldenRunId: string }

export async function showGoldenRun(services: Services, person: Person, which: Which): Promise<GoldenRun> {
  const agent = await requireEditableFor(services, person, which.agentId)
  const row = await ownRuns(services, person, agent.id).where('id', '=', which.goldenRunId).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Golden run not found' })
  return runView(services, row)
}

/** The executing process notices the stop when it next renews its lease. */
export async function stopGoldenRun(services: Services, person: Person, which: Which): Promise<GoldenRun> {
  const run = await showGoldenRun(services, person, which)
  await services.db
    .updateTable('golden_runs')
    .set({ status: 'stopped', finished_at: services.now().getTime() })
    .where('id', '=', run.id)
    .where('status', '=', 'running')
    .execute()
  return showGoldenRun(services, person, which)
}

function runView(services: Services, row: RunRow): GoldenRun {
  const abandoned = row.status === 'running' && row.lease_until < services.now().getTime()
  return {
    id: row.id,
    status: abandoned ? 'interrupted' : row.status,
    base_version: row.base_rev,
    unsaved: row.candidate !== null,
    models: row.models,
    passed: row.results.filter(({ after }) => after?.passed).length,
    total: row.results.length,
    created_at: new Date(row.created_at).toISOString(),
    finished_at: isoTimeOrNull(row.finished_at),
    // Older runs have no second answers.
    results: row.results.map((result) => ({ ...result, second: result.second ?? null })),
  }
}
