import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { agentChanges } from './agents.ts'
import { modelSettings } from './model-settings.ts'

export const mostGoldenQuestions = 50

/**
 * How an answer is held against its expectation: `contains` wants every line of it in the answer (case does not
 * matter), `judged` asks the agent's own model whether the answer meets it.
 */
export const goldenJudges = ['contains', 'judged'] as const
export type GoldenJudge = (typeof goldenJudges)[number]

export const goldenPair = z.object({
  question: z
    .string()
    .check(z.trim(), z.minLength(1, 'Write the question.'), z.maxLength(4000, 'Use at most 4,000 characters.')),
  expectation: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Write what the answer must say.'),
      z.maxLength(4000, 'Use at most 4,000 characters.'),
    ),
  judged_by: z._default(z.enum(goldenJudges), 'contains'),
})

export const goldenQuestion = z.object({
  id: z.string(),
  ...goldenPair.shape,
  judged_by: z.enum(goldenJudges),
  /** The run it was made from ("make this answer a golden one"). */
  source_run_id: z.nullable(z.string()),
  created_at: z.string(),
  rev: z.number(),
})
export type GoldenQuestion = z.infer<typeof goldenQuestion>

/** One answer to a golden question; its run is in the logs. */
export const goldenAnswer = z.object({
  run_id: z.nullable(z.string()),
  answer: z.string(),
  passed: z.boolean(),
  /** Why not, why the run failed, or why it was judged in another way; empty when there is nothing to say. */
  reason: z.string(),
  /** The run that asked the model whether the expectation is met; `null` where the words were looked for. */
  judge_run_id: z.nullable(z.string()),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_usd: z.nullable(z.number()),
  ms: z.number(),
  mock_mode: z.boolean(),
})
export type GoldenAnswer = z.infer<typeof goldenAnswer>

export const goldenResult = z.object({
  question_id: z.string(),
  question: z.string(),
  expectation: z.string(),
  judged_by: z.enum(goldenJudges),
  /** Of the published version the last time it was asked; `null` when it never was. */
  before: z.nullable(goldenAnswer),
  /** `null` while it is waiting its turn. */
  after: z.nullable(goldenAnswer),
  /** The answer of the second compared model. */
  second: z.nullable(goldenAnswer),
})
export type GoldenResult = z.infer<typeof goldenResult>

/** The models of a comparison: the saved one and its two candidates, named as their answers are in a result. */
export const comparedModels = z.object({
  before: z.string(),
  after: z.string(),
  /** Absent where the provider offers one other model only. */
  second: z.optional(z.string()),
})
export type ComparedModels = z.infer<typeof comparedModels>

export const goldenRunStatuses = ['running', 'done', 'stopped', 'interrupted'] as const
export const goldenRun = z.object({
  id: z.string(),
  status: z.enum(goldenRunStatuses),
  /** The version the answers are compared with. */
  base_version: z.number(),
  /** True when an unsaved version was tried. */
  unsaved: z.boolean(),
  /** `null`: not a comparison of models. */
  models: z.nullable(comparedModels),
  passed: z.number(),
  total: z.number(),
  created_at: z.string(),
  finished_at: z.nullable(z.string()),
  results: z.array(goldenResult),
})
export type GoldenRun = z.infer<typeof goldenRun>
/** As a list has it: without questions and answers. */
export const goldenRunSummary = z.omit(goldenRun, { results: true })
export type GoldenRunSummary = z.infer<typeof goldenRunSummary>

const id = z.string().check(z.maxLength(64))
const agentParams = z.object({ agentId: id })
const questionParams = z.object({ agentId: id, questionId: id })
const runParams = z.object({ agentId: id, goldenRunId: id })

export const goldenQuestions = {
  list: endpoint('GET /api/kip/agents/:agentId/golden-questions', {
    summary: 'An agent’s golden questions, oldest first; for who may edit it',
    access: 'person',
    params: agentParams,
    returns: z.array(goldenQuestion),
  }),
  create: endpoint('POST /api/kip/agents/:agentId/golden-questions', {
    summary: 'Add a golden question, at most 50',
    access: 'person',
    params: agentParams,
    body: z.object({ ...goldenPair.shape, source_run_id: z.optional(z.nullable(id)) }),
    returns: goldenQuestion,
    creates: true,
  }),
  update: endpoint('PUT /api/kip/agents/:agentId/golden-questions/:questionId', {
    summary: 'Change a golden question',
    access: 'person',
    params: questionParams,
    body: z.partial(z.object({ ...goldenPair.shape, judged_by: z.enum(goldenJudges) })),
    returns: goldenQuestion,
  }),
  remove: endpoint('DELETE /api/kip/agents/:agentId/golden-questions/:questionId', {
    summary: 'Delete a golden question',
    access: 'person',
    params: questionParams,
    returns: z.nullable(z.object({})),
  }),
  run: endpoint('POST /api/kip/agents/:agentId/golden-runs', {
    summary:
      'Ask all golden questions, of the saved agent, of unsaved changes or of two other models; goes on by itself',
    access: 'person',
    params: agentParams,
    body: z.object({
      changes: z.optional(agentChanges),
      /** Two models of the agent's provider, to answer in the place of its own. */
      compare_models: z.optional(
        z
          .array(modelSettings.shape.model)
          .check(z.minLength(1, 'Choose a model.'), z.maxLength(2, 'Choose at most two models.')),
      ),
    }),
    returns: goldenRun,
  }),
  runs: endpoint('GET /api/kip/agents/:agentId/golden-runs', {
    summary: 'One’s own latest golden runs of an agent, newest first, at most 20',
    access: 'person',
    params: agentParams,
    returns: z.array(goldenRunSummary),
  }),
  showRun: endpoint('GET /api/kip/agents/:agentId/golden-runs/:goldenRunId', {
    summary: 'A golden run of one’s own, also while it is under way',
    access: 'person',
    params: runParams,
    returns: goldenRun,
  }),
  stopRun: endpoint('POST /api/kip/agents/:agentId/golden-runs/:goldenRunId/stop', {
    summary: 'Stop a golden run; the answers so far are kept',
    access: 'person',
    params: runParams,
    returns: goldenRun,
  }),
}
