import { isDeepStrictEqual } from 'node:util'
import { getRolePermissions } from '#contract/accounts/role-permissions.ts'
import type { GoldenAnswer, GoldenResult } from '#contract/agents/golden-questions.ts'
import type { RunOverrides } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { canEdit, canRun, findAgentFor } from '../agent-access.ts'
import type { AgentRow } from '../agent-view.ts'
import type { PromptItem } from '../keeper-memory.ts'
import { retryWhileBusy } from '../usage/settlement.ts'
import { answerGoldenQuestion, type GoldenContext } from './answer-golden-question.ts'

/** A golden run whose lease ended counts as abandoned. */
export const goldenLeaseMs = 30_000
const leaseRenewalMs = 500
const goldenConcurrency = 2

interface GoldenWork {
  id: string
  person: Person
  agent: AgentRow
  candidate?: AgentRow | null
  secondCandidate?: AgentRow | null
  earlierAnswers?: (GoldenAnswer | null)[]
  memory?: { pending: readonly PromptItem[]; timeoutMs: number }
  results: GoldenResult[]
}

type GoldenAnswers = Partial<Pick<GoldenResult, 'before' | 'after' | 'second'>>

interface RunningGoldenRun {
  abortController: AbortController
  finished: Promise<void>
}
const runningGoldenRuns = new WeakMap<Services, Set<RunningGoldenRun>>()

export function executeGoldenRun(services: Services, work: GoldenWork): Promise<void> {
  const activeRuns = runningGoldenRuns.get(services) ?? new Set()
  runningGoldenRuns.set(services, activeRuns)
  const abortController = new AbortController()
  const entry: RunningGoldenRun = { abortController, finished: Promise.resolve() }
  activeRuns.add(entry)
  entry.finished = runQuestions(services, work, abortController)
    .catch((error: unknown) => services.log.error({ err: error, goldenRunId: work.id }, 'a golden run failed'))
    .finally(() => activeRuns.delete(entry))
  return entry.finished
}

export async function interruptGoldenRuns(services: Services): Promise<void> {
  const activeRuns = [...(runningGoldenRuns.get(services) ?? [])]
  for (const { abortController } of activeRuns) abortController.abort('shutdown')
  await Promise.all(activeRuns.map(({ finished }) => finished))
}

/** Closes golden runs of dead processes. Pass `Infinity` when no other process uses the database. */
export async function closeAbandonedGoldenRuns(
  services: Services,
  leaseCutoff = services.now().getTime(),
): Promise<void> {
  await services.db
    .updateTable('golden_runs')
    .set({ status: 'interrupted', finished_at: services.now().getTime() })
    .where('status', '=', 'running')
    .where('lease_until', '<', Math.min(leaseCutoff, Number.MAX_SAFE_INTEGER))
    .execute()
}

async function runQuestions(services: Services, work: GoldenWork, abortController: AbortController): Promise<void> {
  const { results, memory } = work
  const timeoutTimer = memory && setTimeout(() => abortController.abort('timeout'), memory.timeoutMs)
  const leaseTimer = setInterval(() => {
    renewLease(services, work.id).then(
      (isRunning) => {
        if (!isRunning) abortController.abort('stopped')
      },
      (error: unknown) =>
        services.log.error({ err: error, goldenRunId: work.id }, 'could not renew the lease of a golden run'),
    )
  }, leaseRenewalMs)
  leaseTimer.unref()

  // Shared iterator: each worker takes the next index.
  const pendingIndexes = results.keys()
  const runWorker = async () => {
    for (const index of pendingIndexes) {
      const person = await retryWhileBusy(services, () => findAuthorizedPerson(services, work))
      if (!person) return abortController.abort('stopped')
      const result = results[index] as GoldenResult
      const saveAnswer = async (answer: GoldenAnswers) => {
        Object.assign(result, answer)
        if (!(await retryWhileBusy(services, () => saveResults(services, work)))) abortController.abort('stopped')
      }
      const context = { services, person, signal: abortController.signal }
      if (memory) await answerWithPendingMemory(context, work.agent, memory.pending, { result, saveAnswer })
      else await answerWithAgents(context, work, index, { result, saveAnswer })
    }
  }
  const outcomes = await Promise.allSettled(
    Array.from({ length: goldenConcurrency }, () =>
      runWorker().catch((error: unknown) => {
        const wasAborted = abortController.signal.aborted
        abortController.abort('failed')
        if (!wasAborted) throw error
      }),
    ),
  )
  clearInterval(leaseTimer)
  clearTimeout(timeoutTimer)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  await retryWhileBusy(services, () =>
    saveResults(services, work, abortController.signal.aborted ? 'interrupted' : 'done'),
  )
  if (failure) throw failure.reason
}

interface QuestionTask {
  result: GoldenResult
  saveAnswer(answer: GoldenAnswers): Promise<void>
}

async function answerWithPendingMemory(
  context: GoldenContext,
  agent: AgentRow,
  pendingMemory: readonly PromptItem[],
  { result, saveAnswer }: QuestionTask,
): Promise<void> {
  const updatedAnswer = await answerGoldenQuestion({ ...context, pendingMemory }, agent, result, null)
  await saveAnswer({ after: updatedAnswer })
  // A passing or missing answer can't have become worse.
  if (!updatedAnswer.passed && updatedAnswer.answer !== '')
    await saveAnswer({ before: await answerGoldenQuestion(context, agent, result, null) })
}

async function answerWithAgents(
  context: GoldenContext,
  { agent: current, candidate, secondCandidate, earlierAnswers }: GoldenWork,
  index: number,
  { result, saveAnswer }: QuestionTask,
): Promise<void> {
  const answerWith = (agent: AgentRow) =>
    answerGoldenQuestion(context, agent, result, agent === current ? null : getOverrides(current, agent))
  if (candidate && !result.before) {
    const currentAgentAnswer = await answerWith(current)
    const answerFromEarlierRun = currentAgentAnswer.answer === '' ? earlierAnswers?.[index] : null
    const baseline = answerFromEarlierRun ?? currentAgentAnswer
    await saveAnswer({ before: baseline })
  }
  await saveAnswer({ after: await answerWith(candidate ?? current) })
  if (secondCandidate) await saveAnswer({ second: await answerWith(secondCandidate) })
}

async function findAuthorizedPerson(
  services: Services,
  { person: requester, agent }: GoldenWork,
): Promise<Person | undefined> {
  const { db } = services
  const [account, grants, visibleAgent] = await Promise.all([
    db.selectFrom('people').select(['deactivated_at', 'deletes_at']).where('id', '=', requester.id).executeTakeFirst(),
    db.selectFrom('role_grants').select('role').where('person_id', '=', requester.id).execute(),
    findAgentFor(services, requester, agent.id),
  ])
  if (!account || account.deactivated_at !== null || !visibleAgent) return undefined
  if (account.deletes_at !== null && account.deletes_at <= services.now().getTime()) return undefined
  const roles = grants.map(({ role }) => role)
  const person = { ...requester, roles, permissions: getRolePermissions(roles) }
  return canEdit(visibleAgent, person) && canRun(visibleAgent, person) ? person : undefined
}

async function renewLease(services: Services, id: string): Promise<boolean> {
  const row = await services.db
    .updateTable('golden_runs')
    .set({ lease_until: services.now().getTime() + goldenLeaseMs })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Saves the results with a new lease or the final status. Returns false if the run was stopped, closed or deleted. */
async function saveResults(
  services: Services,
  work: GoldenWork,
  finalStatus?: 'done' | 'interrupted',
): Promise<boolean> {
  const now = services.now().getTime()
  const row = await services.db
    .updateTable('golden_runs')
    .set({
      results: json(work.results),
      ...(finalStatus
        ? { status: finalStatus, finished_at: now, lease_until: now }
        : { lease_until: now + goldenLeaseMs }),
    })
    .where('id', '=', work.id)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

function getOverrides(agent: AgentRow, candidate: AgentRow): RunOverrides {
  const settingsChanged = !isDeepStrictEqual(agent.model_settings, candidate.model_settings)
  return {
    ...(candidate.purpose !== agent.purpose && { purpose: candidate.purpose }),
    ...(candidate.model_provider !== agent.model_provider && { model_provider: candidate.model_provider }),
    ...(settingsChanged && { model_settings: candidate.model_settings }),
  }
}
