import type { GoldenAnswer } from '#contract/agents/golden-questions.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { canEdit, canRun, selectOpenAgents, selectSharedAgents, type VisibleAgent } from '../agent-access.ts'
import type { PromptItem } from '../keeper-memory.ts'
import { executeGoldenRun } from './execute-golden-run.ts'
import { listQuestionRows, type QuestionRow, toUnaskedResult } from './golden-questions.ts'
import { buildGoldenRunRow, type GoldenRunRow, insertUnlessRunning } from './golden-runs.ts'
import { createJudgedCheck } from './published-answers.ts'

const maxCandidates = 100

export async function listAgentsWithQuestions({ db }: Services, person: Person): Promise<VisibleAgent[]> {
  const questionedAgentIds = db.selectFrom('golden_questions').select('golden_questions.agent_id')
  const [ownOrBuiltIn, shared] = await Promise.all(
    [
      selectOpenAgents(db, person.id).where((where) =>
        where.or([where('agents.owner_id', '=', person.id), where('agents.owner_id', 'is', null)]),
      ),
      selectSharedAgents(db, person.id),
    ].map((agents) =>
      agents
        .where('agents.context_scope', '=', 'keeper')
        .where('agents.status', '=', 'ready')
        .where('agents.model_provider', '!=', 'elevenlabs')
        .where('agents.id', 'in', questionedAgentIds)
        .orderBy('agents.updated_at', 'desc')
        .limit(maxCandidates)
        .execute(),
    ),
  )
  return [...(ownOrBuiltIn ?? []), ...(shared ?? [])].filter((agent) => canEdit(agent, person) && canRun(agent, person))
}

interface MemoryRuns {
  checkId: string
  memoryHash: string
  pendingMemory: readonly PromptItem[]
  agents: readonly VisibleAgent[]
  maxQuestions: number
  timeoutMs: number
}

export async function startMemoryRuns(
  services: Services,
  person: Person,
  runs: MemoryRuns,
): Promise<{ finished: Promise<unknown> }> {
  const maxQuestionsPerAgent = Math.floor(runs.maxQuestions / Math.max(1, runs.agents.length))
  const startedRuns = await Promise.all(
    runs.agents.map(async (agent) => {
      const questions = (await listQuestionRows(services, agent.id)).slice(0, maxQuestionsPerAgent)
      const row = buildGoldenRunRow(services, person, agent, {
        memory_check_id: runs.checkId,
        memory_hash: runs.memoryHash,
        results: questions.map(toUnaskedResult),
      })
      try {
        await insertUnlessRunning(services, row)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        // The agent was deleted or its questions are already running; an approval doesn't wait for that.
        if (error.kind === 'conflict')
          await insertUnlessRunning(services, { ...row, status: 'interrupted', finished_at: row.created_at })
        return {}
      }
      const memory = { pending: runs.pendingMemory, timeoutMs: runs.timeoutMs }
      const work = { id: row.id, person, agent, results: row.results, memory }
      return { finished: executeGoldenRun(services, work) }
    }),
  )
  return { finished: Promise.all(startedRuns.map(({ finished }) => finished)) }
}

export interface MemoryRunAnswers extends Pick<GoldenRunRow, 'agent_id' | 'memory_hash' | 'results'> {
  agent_name: string
  isRunning: boolean
  isJudged: (answer: GoldenAnswer, judgedBy: QuestionRow['judged_by']) => boolean
}

export async function findMemoryRuns(services: Services, person: Person, checkId: string): Promise<MemoryRunAnswers[]> {
  const rows = await services.db
    .selectFrom('golden_runs')
    .innerJoin('agents', 'agents.id', 'golden_runs.agent_id')
    .select(['golden_runs.agent_id', 'golden_runs.memory_hash', 'golden_runs.results', 'golden_runs.status'])
    .select(['golden_runs.lease_until', 'agents.name as agent_name'])
    .where('golden_runs.memory_check_id', '=', checkId)
    .where('golden_runs.person_id', '=', person.id)
    .orderBy('golden_runs.id')
    .execute()
  const answers = rows.flatMap(({ results }) => results.map(({ after }) => after))
  const isJudged = await createJudgedCheck(services, answers)
  const now = services.now().getTime()
  return rows.map(({ status, lease_until, ...row }) => ({
    ...row,
    isRunning: status === 'running' && lease_until >= now,
    isJudged,
  }))
}

export async function stopMemoryRuns(services: Services, person: Person, checkId: string): Promise<void> {
  await services.db
    .updateTable('golden_runs')
    .set({ status: 'stopped', finished_at: services.now().getTime() })
    .where('memory_check_id', '=', checkId)
    .where('person_id', '=', person.id)
    .where('status', '=', 'running')
    .execute()
}
