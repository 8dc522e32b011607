import { isDeepStrictEqual } from 'node:util'
import { permissionsOf } from '#contract/accounts/role-permissions.ts'
import type { GoldenAnswer, GoldenResult } from '#contract/agents/golden-questions.ts'
import type { RunOverrides } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor, mayEdit, mayRun } from '../agent-access.ts'
import type { AgentRow } from '../agent-row.ts'
import type { PromptItem } from '../keeper-memory.ts'
import { withRetries } from '../usage/with-retries.ts'
import { askGolden } from './ask-golden.ts'

/** A golden run whose lease ended counts as abandoned. */
export const goldenLeaseMs = 30_000
const beatMs = 500
const sideBySide = 2

interface GoldenWork {
  id: string
  person: Person
  agent: AgentRow
  /** The agent with its unsaved changes or another model; `null` to test the saved one. */
  candidate: AgentRow | null
  second: AgentRow | null
  /** Per question, an earlier version's answer to use if the model no longer answers. */
  earlier: (GoldenAnswer | null)[]
  memory?: { pending: readonly PromptItem[]; timeoutMs: number }
  results: GoldenResult[]
}

interface UnderWay {
  abort: AbortController
  finished: Promise<void>
}
const underWay = new WeakMap<Services, Set<UnderWay>>()

/** Runs in the background; failures end in the row. @returns a promise that resolves when the run is over */
export function beginGoldenRun(services: Services, work: GoldenWork): Promise<void> {
  const all = underWay.get(services) ?? new Set()
  underWay.set(services, all)
  const abort = new AbortController()
  const entry: UnderWay = { abort, finished: Promise.resolve() }
  all.add(entry)
  entry.finished = carryOut(services, work, abort)
    .catch((error: unknown) => services.log.error({ err: error, goldenRunId: work.id }, 'a golden run failed'))
    .finally(() => all.delete(entry))
  return entry.finished
}

export async function interruptGoldenRuns(services: Services): Promise<void> {
  const all = [...(underWay.get(services) ?? [])]
  for (const { abort } of all) abort.abort('shutdown')
  await Promise.all(all.map(({ finished }) => finished))
}

/** Closes golden runs of dead processes. A process that is alone with its database passes `Infinity`. */
export async function closeAbandonedGoldenRuns(
  services: Services,
  leaseEndedBefore = services.now().getTime(),
): Promise<void> {
  await services.db
    .updateTable('golden_runs')
    .set({ status: 'interrupted', finished_at: services.now().getTime() })
    .where('status', '=', 'running')
    .where('lease_until', '<', Math.min(leaseEndedBefore, Number.MAX_SAFE_INTEGER))
    .execute()
}

async function carryOut(services: Services, work: GoldenWork, abort: AbortController): Promise<void> {
  const { results, memory } = work
  const deadline = memory && setTimeout(() => abort.abort('timeout'), memory.timeoutMs)
  const beat = setInterval(() => {
    goesOn(services, work.id).then(
      (itDoes) => itDoes || abort.abort('stopped'),
      (error: unknown) => services.log.error({ err: error, goldenRunId: work.id }, 'a golden run lost its row'),
    )
  }, beatMs)
  beat.unref()

  const waiting = results.keys()
  const worker = async () => {
    for (const index of waiting) {
      const person = await withRetries(services, () => whoMayStill(services, work))
      if (!person) return abort.abort('stopped')
      const asking = { services, person, signal: abort.signal }
      const asked = results[index] as GoldenResult
      const keep = async (answer: Partial<Pick<GoldenResult, 'before' | 'after' | 'second'>>) => {
        Object.assign(asked, answer)
        if (!(await withRetries(services, () => write(services, work)))) abort.abort('stopped')
      }
      if (memory) {
        const after = await askGolden({ ...asking, pending: memory.pending }, work.agent, asked, null)
        await keep({ after })
        // A passing or missing answer can't have become worse.
        if (!after.passed && after.answer !== '')
          await keep({ before: await askGolden(asking, work.agent, asked, null) })
        continue
      }
      const ask = (agent: AgentRow) =>
        askGolden(asking, agent, asked, agent === work.agent ? null : overridesOf(work.agent, agent))
      if (work.candidate && !asked.before) {
        const before = await ask(work.agent)
        await keep({ before: before.answer === '' ? (work.earlier[index] ?? before) : before })
      }
      await keep({ after: await ask(work.candidate ?? work.agent) })
      if (work.second) await keep({ second: await ask(work.second) })
    }
  }
  const endings = await Promise.allSettled(
    Array.from({ length: sideBySide }, () =>
      worker().catch((error: unknown) => {
        const known = abort.signal.aborted
        abort.abort('failed')
        if (!known) throw error
      }),
    ),
  )
  clearInterval(beat)
  clearTimeout(deadline)
  const failure = endings.find((ending) => ending.status === 'rejected')
  await withRetries(services, () => write(services, work, abort.signal.aborted ? 'interrupted' : 'done'))
  if (failure) throw failure.reason
}

/** Rechecks permissions before every question. Returns the person with current roles, if still authorized. */
async function whoMayStill(services: Services, { person: before, agent }: GoldenWork): Promise<Person | undefined> {
  const { db } = services
  const [account, grants, seen] = await Promise.all([
    db.selectFrom('people').select(['deactivated_at', 'deletes_at']).where('id', '=', before.id).executeTakeFirst(),
    db.selectFrom('role_grants').select('role').where('person_id', '=', before.id).execute(),
    findAgentFor(services, before, agent.id),
  ])
  if (!account || account.deactivated_at !== null || !seen) return undefined
  if (account.deletes_at !== null && account.deletes_at <= services.now().getTime()) return undefined
  const roles = grants.map(({ role }) => role)
  const person = { ...before, roles, permissions: permissionsOf(roles) }
  return mayEdit(seen, person) && mayRun(seen, person) ? person : undefined
}

/** Renews the lease only. Returns false if the run was stopped, closed or deleted. */
async function goesOn(services: Services, id: string): Promise<boolean> {
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
async function write(services: Services, work: GoldenWork, ending?: 'done' | 'interrupted'): Promise<boolean> {
  const now = services.now().getTime()
  const row = await services.db
    .updateTable('golden_runs')
    .set({
      results: json(work.results),
      ...(ending ? { status: ending, finished_at: now, lease_until: now } : { lease_until: now + goldenLeaseMs }),
    })
    .where('id', '=', work.id)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

function overridesOf(agent: AgentRow, candidate: AgentRow): RunOverrides {
  const settingsChanged = !isDeepStrictEqual(agent.model_settings, candidate.model_settings)
  return {
    ...(candidate.purpose !== agent.purpose && { purpose: candidate.purpose }),
    ...(candidate.model_provider !== agent.model_provider && { model_provider: candidate.model_provider }),
    ...(settingsChanged && { model_settings: candidate.model_settings }),
  }
}
