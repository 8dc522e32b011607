import type { ComparedModels, GoldenAnswer, GoldenResult } from '#contract/agents/golden-questions.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-view.ts'
import { undecidedReason } from './answer-golden-question.ts'
import type { QuestionRow } from './golden-questions.ts'

const maxSearchedRuns = 20

/** Ignores edited questions and failed, mock, unjudged or deleted runs. @param anyVersion accepts versions with the same model */
export async function createPublishedAnswerLookup(
  services: Services,
  person: Person,
  agent: AgentRow,
  { anyVersion = false } = {},
): Promise<(question: QuestionRow) => GoldenAnswer | null> {
  const publishedVersion = services.db
    .selectFrom('agent_versions')
    .select('golden_run_id')
    .where('agent_id', '=', agent.id)
    .where('rev', '=', agent.rev)
    .where('golden_run_id', 'is not', null)
  const { golden_run_id: testedRunId } = (await publishedVersion.executeTakeFirst()) ?? { golden_run_id: null }
  const runs = await services.db
    .selectFrom('golden_runs')
    .select(['id', 'candidate', 'base_rev', 'models', 'results'])
    .where('agent_id', '=', agent.id)
    .where('person_id', '=', person.id)
    .where('status', '!=', 'running')
    .where('memory_check_id', 'is', null)
    .$if(!anyVersion, (query) =>
      query.where((where) => where.or([where('base_rev', '=', agent.rev), where('id', '=', testedRunId ?? '')])),
    )
    .orderBy('created_at', 'desc')
    .limit(maxSearchedRuns)
    .execute()
  const answers = runs.flatMap(({ id, candidate, models, results }) =>
    results.map((result) => ({
      ...result,
      answer:
        id === testedRunId
          ? getCandidateAnswer(result, models, agent.model_settings.model)
          : result[candidate === null ? 'after' : 'before'],
    })),
  )
  const isJudged = await createJudgedCheck(
    services,
    answers.map(({ answer }) => answer),
    anyVersion ? agent.model_settings.model : undefined,
  )
  return (question) =>
    answers.find(
      (result) =>
        result.answer !== null &&
        isJudged(result.answer, result.judged_by) &&
        result.question_id === question.id &&
        result.question === question.question &&
        result.expectation === question.expectation &&
        result.judged_by === question.judged_by,
    )?.answer ?? null
}

/** Accepts answers of successful real runs, judged if required. @param model restricts the check to this model */
export async function createJudgedCheck(
  services: Services,
  answers: readonly (GoldenAnswer | null)[],
  model?: string,
): Promise<(answer: GoldenAnswer, judgedBy: QuestionRow['judged_by']) => boolean> {
  const runIds = answers.flatMap((answer) =>
    [answer?.run_id, answer?.judge_run_id].filter((id) => typeof id === 'string'),
  )
  const successfulRunIds = await findSuccessfulRunIds(services, runIds, model)
  return (answer, judgedBy) =>
    successfulRunIds.has(answer.run_id) &&
    (judgedBy === 'contains' || (successfulRunIds.has(answer.judge_run_id) && answer.reason !== undecidedReason))
}

export function getCandidateAnswer(
  result: GoldenResult,
  models: ComparedModels | null,
  publishedModel: string,
): GoldenAnswer | null {
  return models?.second === publishedModel ? result.second : result.after
}

async function findSuccessfulRunIds(
  { db }: Services,
  runIds: string[],
  model: string | undefined,
): Promise<ReadonlySet<string | null>> {
  if (runIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('id', 'in', runIds)
    .where('status', '=', 'success')
    .where('mock_mode', '=', false)
    .$if(model !== undefined, (query) => query.where('model', '=', model ?? ''))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
