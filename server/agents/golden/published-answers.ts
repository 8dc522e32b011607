import type { GoldenAnswer } from '#contract/agents/golden-questions.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import type { QuestionRow } from './golden-questions.ts'
import { undecided } from './judge-answer.ts'

/** How far back an answer of the published version is looked for. */
const runsLookedAt = 20

/**
 * What the published version answered the last time this person asked it: by itself, as the older side of a
 * comparison, or before it was published. An edited question was never asked. What came of a run that failed or of a
 * mock, or was never judged, says nothing of the version and is asked for again; so is what the logs have no run of any
 * more.
 */
export async function publishedAnswers(
  services: Services,
  person: Person,
  agent: AgentRow,
): Promise<(question: QuestionRow) => GoldenAnswer | null> {
  const published = services.db
    .selectFrom('agent_versions')
    .select('golden_run_id')
    .where('agent_id', '=', agent.id)
    .where('rev', '=', agent.rev)
    .where('golden_run_id', 'is not', null)
  const { golden_run_id: triedAs } = (await published.executeTakeFirst()) ?? { golden_run_id: null }
  const runs = await services.db
    .selectFrom('golden_runs')
    .select(['id', 'candidate', 'base_rev', 'results'])
    .where('agent_id', '=', agent.id)
    .where('person_id', '=', person.id)
    .where('status', '!=', 'running')
    .where((where) => where.or([where('base_rev', '=', agent.rev), where('id', '=', triedAs ?? '')]))
    .orderBy('created_at', 'desc')
    .limit(runsLookedAt)
    .execute()
  const answers = runs.flatMap(({ id, candidate, results }) =>
    results.map((result) => ({
      ...result,
      answer: id === triedAs || candidate === null ? result.after : result.before,
    })),
  )
  const wentWell = await whichWentWell(
    services,
    answers.flatMap(({ answer }) => [answer?.run_id, answer?.judge_run_id].filter((id) => typeof id === 'string')),
  )
  const isJudged = (answer: GoldenAnswer, judgedBy: QuestionRow['judged_by']) =>
    wentWell.has(answer.run_id) &&
    (judgedBy === 'contains' || (wentWell.has(answer.judge_run_id) && answer.reason !== undecided))
  return (question) =>
    answers.find(
      (known) =>
        known.answer !== null &&
        isJudged(known.answer, known.judged_by) &&
        known.question_id === question.id &&
        known.question === question.question &&
        known.expectation === question.expectation &&
        known.judged_by === question.judged_by,
    )?.answer ?? null
}

async function whichWentWell({ db }: Services, runIds: string[]): Promise<ReadonlySet<string | null>> {
  if (runIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('id', 'in', runIds)
    .where('status', '=', 'success')
    .where('mock_mode', '=', false)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
