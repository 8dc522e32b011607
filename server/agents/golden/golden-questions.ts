import { type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import {
  type GoldenQuestion,
  type GoldenResult,
  type goldenQuestions,
  maxGoldenQuestions,
} from '#contract/agents/golden-questions.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { requireEditableAgent } from '../agent-access.ts'

export type QuestionRow = Selectable<Schema['golden_questions']>
type NewQuestion = z.output<typeof goldenQuestions.create.body & {}>
type QuestionChanges = z.output<typeof goldenQuestions.update.body & {}>

export function toUnaskedResult({ id, question, expectation, judged_by }: QuestionRow): GoldenResult {
  return { question_id: id, question, expectation, judged_by, before: null, after: null, second: null }
}

export async function listQuestionRows(services: Services, agentId: string): Promise<QuestionRow[]> {
  return services.db
    .selectFrom('golden_questions')
    .selectAll()
    .where('agent_id', '=', agentId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function listQuestions(services: Services, person: Person, agentId: string): Promise<GoldenQuestion[]> {
  const agent = await requireEditableAgent(services, person, agentId)
  return (await listQuestionRows(services, agent.id)).map(toQuestionView)
}

/** @throws Problem `conflict` when the agent has the maximum number of questions */
export async function addQuestion(
  services: Services,
  person: Person,
  agentId: string,
  input: NewQuestion,
): Promise<GoldenQuestion> {
  const agent = await requireEditableAgent(services, person, agentId)
  if (input.source_run_id) await refuseForeignRun(services, person, agent.id, input.source_run_id)
  const now = services.now().getTime()
  const row: QuestionRow = {
    id: services.newId(),
    agent_id: agent.id,
    question: input.question,
    expectation: input.expectation,
    judged_by: input.judged_by,
    source_run_id: input.source_run_id ?? null,
    created_by: person.id,
    created_at: now,
    updated_at: now,
    rev: 1,
  }
  const { db } = services
  const count = sql<number>`(select count(*) from golden_questions where agent_id = ${agent.id})`
  // Locked until the batch ends, so that concurrent inserts can't exceed the limit.
  const lockAgent = db.updateTable('agents').set({ rev: sql<number>`rev` }).where('id', '=', agent.id)
  const limitQuestions = requireChanges(lockAgent.where(count, '<', maxGoldenQuestions))
  try {
    await db.batch([lockAgent, limitQuestions, db.insertInto('golden_questions').values(row)])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges) && !(error instanceof ForeignKeyViolation)) throw error
    // Throws if the agent was deleted concurrently.
    await requireEditableAgent(services, person, agent.id)
    throw new Problem('conflict', {
      message: `An agent can have at most ${maxGoldenQuestions} golden questions. Delete one first.`,
    })
  }
  return toQuestionView(row)
}

export async function changeQuestion(
  services: Services,
  person: Person,
  { agentId, questionId }: { agentId: string; questionId: string },
  changes: QuestionChanges,
  ifMatch: number | null,
): Promise<GoldenQuestion> {
  const agent = await requireEditableAgent(services, person, agentId)
  const update = services.db
    .updateTable('golden_questions')
    .set((set) => ({ ...changes, updated_at: services.now().getTime(), rev: set('rev', '+', 1) }))
    .where('id', '=', questionId)
    .where('agent_id', '=', agent.id)
  const row = await (ifMatch === null ? update : update.where('rev', '=', ifMatch)).returningAll().executeTakeFirst()
  if (row) return toQuestionView(row)
  const current = await requireQuestion(services, agent.id, questionId)
  const submitted = { ...current, ...changes, rev: current.rev + 1 }
  throw new Problem('stale', { data: { yours: toQuestionView(submitted), current: toQuestionView(current) } })
}

export async function removeQuestion(
  services: Services,
  person: Person,
  { agentId, questionId }: { agentId: string; questionId: string },
): Promise<void> {
  const agent = await requireEditableAgent(services, person, agentId)
  const question = await requireQuestion(services, agent.id, questionId)
  await services.db.deleteFrom('golden_questions').where('id', '=', question.id).execute()
}

async function requireQuestion(services: Services, agentId: string, questionId: string): Promise<QuestionRow> {
  const row = await services.db
    .selectFrom('golden_questions')
    .selectAll()
    .where('id', '=', questionId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Golden question not found' })
  return row
}

async function refuseForeignRun(services: Services, person: Person, agentId: string, runId: string): Promise<void> {
  const run = await services.db
    .selectFrom('runs')
    .select('id')
    .where('id', '=', runId)
    .where('person_id', '=', person.id)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  if (!run) throw badField('source_run_id', 'That isn’t one of your runs with this agent.')
}

function toQuestionView(row: QuestionRow): GoldenQuestion {
  return {
    id: row.id,
    question: row.question,
    expectation: row.expectation,
    judged_by: row.judged_by,
    source_run_id: row.source_run_id,
    created_at: toIsoTime(row.created_at),
    rev: row.rev,
  }
}
