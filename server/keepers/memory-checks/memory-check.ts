import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChangedAnswer,
  type MemoryCheck,
  type MemoryConsentInput,
  maxCheckedAgents,
  maxCheckedQuestions,
  memoryCheckTimeoutMs,
} from '#contract/keepers/memory-checks.ts'
import type { Person } from '#server/accounts/person.ts'
import type { VisibleAgent } from '#server/agents/agent-access.ts'
import {
  findMemoryRuns,
  listAgentsWithQuestions,
  type MemoryRunAnswers,
  startMemoryRuns,
  stopMemoryRuns,
} from '#server/agents/golden/memory-runs.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { findReadableKeepers } from '../prompt/readable-keepers.ts'
import type { PendingMemory } from './pending-memory.ts'

const emptyCheck: MemoryCheck = {
  id: null,
  status: 'done',
  total: 0,
  answered: 0,
  unasked: 0,
  agentNames: [],
  changed: [],
}

export async function startMemoryCheck(
  services: Services,
  person: Person,
  memory: PendingMemory | null,
): Promise<{ check: MemoryCheck; finished: Promise<unknown> }> {
  const agents = memory ? await findReadingAgents(services, person, memory.keeperId) : []
  if (!memory || agents.length === 0) return { check: emptyCheck, finished: Promise.resolve() }
  const checkId = services.newId()
  const { hash: memoryHash, items: pendingMemory } = memory
  const limits = { maxQuestions: maxCheckedQuestions, timeoutMs: memoryCheckTimeoutMs }
  const { finished } = await startMemoryRuns(services, person, {
    checkId,
    memoryHash,
    pendingMemory,
    agents,
    ...limits,
  })
  return { check: await showMemoryCheck(services, person, checkId), finished }
}

async function findReadingAgents(services: Services, person: Person, keeperId: string): Promise<VisibleAgent[]> {
  const readingAgents: VisibleAgent[] = []
  for (const agent of await listAgentsWithQuestions(services, person)) {
    if (readingAgents.length === maxCheckedAgents) break
    const { keepers } = await findReadableKeepers(services, { person }, { agent, callers: [] }, { allIfUntyped: false })
    if (keepers.some(({ id }) => id === keeperId)) readingAgents.push(agent)
  }
  return readingAgents
}

/** @throws Problem 404 */
export async function showMemoryCheck(services: Services, person: Person, checkId: string): Promise<MemoryCheck> {
  const runs = await findMemoryRuns(services, person, checkId)
  if (runs.length === 0) throw new Problem('not-found', { message: 'Memory check not found' })
  return toMemoryCheck(checkId, runs)
}

async function findFinishedCheck(
  services: Services,
  person: Person,
  checkId: string,
  memory: PendingMemory,
): Promise<MemoryCheck | undefined> {
  for (let waitedMs = 0; ; waitedMs += pollIntervalMs) {
    const runs = await findMemoryRuns(services, person, checkId)
    if (runs.length === 0 || runs.some(({ memory_hash }) => memory_hash !== memory.hash)) return undefined
    const check = toMemoryCheck(checkId, runs)
    if (check.status === 'done' || waitedMs >= memoryCheckTimeoutMs) return check
    await sleep(pollIntervalMs)
  }
}

const pollIntervalMs = 250

export async function stopMemoryCheck(services: Services, person: Person, checkId: string): Promise<MemoryCheck> {
  await stopMemoryRuns(services, person, checkId)
  return showMemoryCheck(services, person, checkId)
}

function toMemoryCheck(id: string, runs: MemoryRunAnswers[]): MemoryCheck {
  const results = runs.flatMap((run) => run.results.map((result) => ({ run, result })))
  const isAnswered = ({ run, result: { after, judged_by } }: (typeof results)[number]) =>
    after !== null && run.isJudged(after, judged_by)
  const isRunning = runs.some((run) => run.isRunning)
  return {
    id,
    status: isRunning ? 'running' : 'done',
    total: results.length,
    answered: results.filter(({ result }) => result.after !== null).length,
    unasked: isRunning ? 0 : results.filter((entry) => !isAnswered(entry)).length,
    agentNames: runs.map(({ agent_name }) => agent_name),
    changed: results.filter(isAnswered).flatMap(({ run, result }): ChangedAnswer[] => {
      const { before, after } = result
      if (!before?.passed || !after || after.passed) return []
      return [
        {
          agentId: run.agent_id,
          agentName: run.agent_name,
          questionId: result.question_id,
          question: result.question,
          expectation: result.expectation,
          judgedBy: result.judged_by,
          before: before.answer,
          after: after.answer,
          reason: after.reason,
        },
      ]
    }),
  }
}

export class MemoryConsent {
  readonly #services: Services
  readonly #person: Person
  readonly #input: MemoryConsentInput
  #newCheck: MemoryCheck | undefined

  constructor(services: Services, person: Person, input: MemoryConsentInput = {}) {
    this.#services = services
    this.#person = person
    this.#input = input
  }

  /** @throws Problem `answers-changed` with the check, until the person confirms */
  async requireConsent(memory: PendingMemory | null): Promise<void> {
    const { checkId, approveAnyway = false, skip = false } = this.#input
    if (!memory || skip) return
    const finishedCheck = checkId && (await findFinishedCheck(this.#services, this.#person, checkId, memory))
    const check = finishedCheck || (await this.#runCheck(memory))
    if (check.changed.length > 0 && !(finishedCheck && approveAnyway))
      throw new Problem('answers-changed', { data: check })
  }

  async #runCheck(memory: PendingMemory): Promise<MemoryCheck> {
    const { check, finished } = await startMemoryCheck(this.#services, this.#person, memory)
    if (check.id === null) return check
    await finished
    this.#newCheck = await showMemoryCheck(this.#services, this.#person, check.id)
    return this.#newCheck
  }

  toReply<Data>(data: Data): Data | Reply<Data> {
    return this.#newCheck ? new Reply(data, { extra: { goldenCheck: this.#newCheck } }) : data
  }
}
