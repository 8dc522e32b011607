import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse, id } from '../keepers/keeper-fields.ts'
import { agentChanges } from './agents.ts'
import { modelSettings } from './model-settings.ts'

export const maxGoldenQuestions = 50

/**
 * `contains`: every line of the expectation must occur in the answer, ignoring case. `judged`: the agent's model
 * decides.
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
  source_run_id: z.nullable(z.string()),
  created_at: z.string(),
  rev: z.number(),
})
export type GoldenQuestion = z.infer<typeof goldenQuestion>

export const goldenAnswer = z.object({
  run_id: z.nullable(z.string()),
  answer: z.string(),
  passed: z.boolean(),
  reason: z.string(),
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
  /**
   * `before`: the saved agent. `after`: the saved agent if nothing is compared, else the unsaved changes, the pending
   * memory or the first compared model. `second`: the second compared model. Null if not asked (yet).
   */
  before: z.nullable(goldenAnswer),
  after: z.nullable(goldenAnswer),
  second: z.nullable(goldenAnswer),
})
export type GoldenResult = z.infer<typeof goldenResult>

/** `before`: the saved agent's model; `after` and `second`: the compared models, as in {@link goldenResult}. */
export const comparedModels = z.object({
  before: z.string(),
  after: z.string(),
  second: z.optional(z.string()),
})
export type ComparedModels = z.infer<typeof comparedModels>

export const goldenRunStatuses = ['running', 'done', 'stopped', 'interrupted'] as const
export const goldenRun = z.object({
  id: z.string(),
  status: z.enum(goldenRunStatuses),
  base_version: z.number(),
  unsaved: z.boolean(),
  models: z.nullable(comparedModels),
  passed: z.number(),
  total: z.number(),
  created_at: z.string(),
  finished_at: z.nullable(z.string()),
  results: z.array(goldenResult),
})
export type GoldenRun = z.infer<typeof goldenRun>
export const goldenRunSummary = z.omit(goldenRun, { results: true })
export type GoldenRunSummary = z.infer<typeof goldenRunSummary>

const agentParams = z.object({ agentId: id })
const questionParams = z.object({ agentId: id, questionId: id })
const runParams = z.object({ agentId: id, goldenRunId: id })

export const goldenQuestions = {
  list: defineEndpoint('GET /api/kip/agents/:agentId/golden-questions', {
    summary: 'List an agent’s golden questions, oldest first; for people who can edit the agent',
    access: 'person',
    params: agentParams,
    response: z.array(goldenQuestion),
  }),
  create: defineEndpoint('POST /api/kip/agents/:agentId/golden-questions', {
    summary: 'Add a golden question; an agent has at most 50',
    access: 'person',
    params: agentParams,
    body: z.object({ ...goldenPair.shape, source_run_id: z.optional(z.nullable(id)) }),
    response: goldenQuestion,
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint('PUT /api/kip/agents/:agentId/golden-questions/:questionId', {
    summary: 'Update a golden question',
    access: 'person',
    params: questionParams,
    body: z.partial(z.object({ ...goldenPair.shape, judged_by: z.enum(goldenJudges) })),
    response: goldenQuestion,
  }),
  remove: defineEndpoint('DELETE /api/kip/agents/:agentId/golden-questions/:questionId', {
    summary: 'Delete a golden question',
    access: 'person',
    params: questionParams,
    response: emptyResponse,
  }),
  run: defineEndpoint('POST /api/kip/agents/:agentId/golden-runs', {
    summary: 'Run all golden questions against the saved agent, unsaved changes or two other models, in the background',
    access: 'person',
    params: agentParams,
    body: z.object({
      changes: z.optional(agentChanges),
      compare_models: z.optional(
        z
          .array(modelSettings.shape.model)
          .check(z.minLength(1, 'Choose a model.'), z.maxLength(2, 'Choose at most two models.')),
      ),
    }),
    response: goldenRun,
  }),
  runs: defineEndpoint('GET /api/kip/agents/:agentId/golden-runs', {
    summary: 'List your latest golden runs of an agent, newest first, at most 20',
    access: 'person',
    params: agentParams,
    response: z.array(goldenRunSummary),
  }),
  showRun: defineEndpoint('GET /api/kip/agents/:agentId/golden-runs/:goldenRunId', {
    summary: 'Get one of your golden runs, even while it is running',
    access: 'person',
    params: runParams,
    response: goldenRun,
  }),
  stopRun: defineEndpoint('POST /api/kip/agents/:agentId/golden-runs/:goldenRunId/stop', {
    summary: 'Stop a golden run; answers so far are kept',
    access: 'person',
    params: runParams,
    response: goldenRun,
  }),
}
