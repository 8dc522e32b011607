import * as z from 'zod/mini'
import { boundedRecord } from '../bounds.ts'
import { catalogEntryFields, entryDescription, shortName } from '../catalog.ts'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint } from './entity-endpoint.ts'
import { clientId, emptyResponse, id, pagedQuery, timeZone } from './keeper-fields.ts'

export const templateTypes = ['memory', 'identity', 'timeline', 'other'] as const
/** `page`: one of the five screens; `content-type`: a form; `process`: steps with a form or prompt. */
export const templateKinds = ['page', 'content-type', 'process'] as const
export type TemplateKind = (typeof templateKinds)[number]
export const fieldTypes = [
  'text',
  'longtext',
  'date',
  'number',
  'choice',
  'scale',
  'media',
  'tags',
  'person',
  'place',
] as const
export type FieldType = (typeof fieldTypes)[number]
export const templateTargets = ['reflection', 'moment', 'logbook'] as const
export type TemplateTarget = (typeof templateTargets)[number]

export const templateField = z.object({
  key: z.string().check(z.regex(/^[a-z][a-z0-9_]{0,39}$/, 'Use a–z, 0–9 and _, starting with a letter.')),
  label: shortName,
  type: z.enum(fieldTypes),
  required: z.boolean(),
  help: z.optional(oneLine({ max: 300 })),
  options: z.optional(z.array(shortName).check(z.maxLength(50))),
  /** Top of a `scale` that starts at 1. */
  most: z.optional(z.int().check(z.minimum(2), z.maximum(10))),
})
export type TemplateField = z.infer<typeof templateField>
export const templateStep = z.object({
  title: shortName,
  prompt: z.string().check(z.trim(), z.maxLength(2000)),
  contentTypeId: z.nullable(z.string().check(z.maxLength(64))),
  agentSlug: z.nullable(z.string().check(z.maxLength(100))),
  waitHours: z.nullable(z.int().check(z.minimum(0), z.maximum(24 * 365))),
})
export type TemplateStep = z.infer<typeof templateStep>

export const engagementTemplate = z.object({
  ...catalogEntryFields,
  label: displayLine,
  type: z.enum(templateTypes),
  kind: z.enum(templateKinds),
  category: displayLine,
  fields: z.array(templateField),
  steps: z.array(templateStep),
  target: z.enum(templateTargets),
  templateCount: z.number(),
  updatedAt: z.string(),
})
export type EngagementTemplate = z.infer<typeof engagementTemplate>

const optionalTemplateFields = {
  description: entryDescription,
  category: z.optional(oneLine({ max: 80 })),
  type: z.optional(z.enum(templateTypes)),
  fields: z.optional(z.array(templateField).check(z.maxLength(40, 'Use at most 40 fields.'))),
  steps: z.optional(z.array(templateStep).check(z.maxLength(30, 'Use at most 30 steps.'))),
  target: z.optional(z.enum(templateTargets)),
}

export const templateAnswers = boundedRecord(
  z.string().check(z.maxLength(100)),
  z.union([
    z.string().check(z.maxLength(50_000, 'Use at most 50,000 characters.')),
    z.number(),
    z.array(oneLine({ max: 200 })).check(z.maxLength(100)),
  ]),
  200,
  'Send at most 200 answers.',
)
export type TemplateAnswers = z.infer<typeof templateAnswers>

type TemplateAnswer = TemplateAnswers[string]

export const isAnswered = (value: TemplateAnswer | undefined): value is TemplateAnswer =>
  value !== undefined && (typeof value === 'number' || (typeof value === 'string' ? value.trim() : value).length > 0)
export const singleAnswerKey = 'answer'
const defaultScaleMax = 5

export const getScaleMax = (field: Pick<TemplateField, 'most'>) => field.most ?? defaultScaleMax

export const templateRun = z.object({
  id: z.string(),
  keeperId: z.string(),
  template: engagementTemplate,
  step: z.number(),
  answers: z.array(templateAnswers),
  fields: z.array(templateField),
  steps: z.array(
    z.object({
      title: displayLine,
      prompt: z.string(),
      agentSlug: z.nullable(z.string().check(z.maxLength(100))),
      fields: z.array(templateField),
    }),
  ),
  waitUntil: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  entries: z.array(z.object({ entity: z.enum(templateTargets), id: z.string() })),
  rev: z.number(),
})
export type TemplateRun = z.infer<typeof templateRun>

const runParams = z.object({ runId: id })

export const engagementTemplates = {
  list: defineEndpoint('GET /api/keeper/engagement-templates', {
    summary: 'List the templates you can use; 1,000 per page',
    access: 'person',
    query: pagedQuery,
    response: z.array(engagementTemplate),
  }),
  /** `x` is an ID, a slug or a type; a type returns a list. */
  find: defineEndpoint('GET /api/keeper/engagement-templates/:x', {
    summary: 'Get a template by ID or slug, or list those of a type',
    access: 'person',
    params: z.object({ x: z.string().check(z.maxLength(80)) }),
    query: pagedQuery,
    response: z.union([engagementTemplate, z.array(engagementTemplate)]),
  }),
  create: defineEndpoint('POST /api/keeper/engagement-templates', {
    summary: 'Create a content type or a process',
    access: 'person',
    body: z.object({
      kind: z.enum(['content-type', 'process'], 'Choose content-type or process.'),
      label: shortName,
      ...optionalTemplateFields,
    }),
    response: engagementTemplate,
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint('PUT /api/keeper/engagement-templates/:x', {
    summary: 'Update one of your templates; omitted fields stay the same',
    access: 'person',
    params: z.object({ x: id }),
    body: z.object({ label: z.optional(shortName), ...optionalTemplateFields }),
    response: engagementTemplate,
  }),
  remove: defineEndpoint('DELETE /api/keeper/engagement-templates/:x', {
    summary: 'Delete one of your templates; 409 while it is in use',
    access: 'person',
    params: z.object({ x: id }),
    response: emptyResponse,
  }),
  ofKeeper: defineEntityEndpoint('GET /api/keeper/keepers/:id/engagement-templates', {
    summary: 'List the templates linked to a keeper and to its type',
    response: z.array(z.extend(engagementTemplate, { ofType: z.boolean() })),
  }),
  linkToKeeper: defineEndpoint('POST /api/keeper/keepers/:id/engagement-templates/:templateId', {
    summary: 'Link a template to a keeper',
    access: 'person',
    params: z.object({ id, templateId: id }),
    response: emptyResponse,
  }),
  unlinkFromKeeper: defineEndpoint('DELETE /api/keeper/keepers/:id/engagement-templates/:templateId', {
    summary: 'Unlink a template from a keeper',
    access: 'person',
    params: z.object({ id, templateId: id }),
    response: emptyResponse,
  }),
  begin: defineEndpoint('POST /api/keeper/engagement-templates/:x/run', {
    summary: 'Start a template in a keeper',
    access: 'person',
    params: z.object({ x: id }),
    body: z.object({ keeperId: id, id: z.optional(clientId) }),
    response: templateRun,
    supportsIdempotencyKey: true,
  }),
  runsOfKeeper: defineEntityEndpoint('GET /api/keeper/keepers/:id/template-runs', {
    summary: 'List the template runs of a keeper: unfinished ones first, 200 per page',
    query: pagedQuery,
    response: z.array(templateRun),
  }),
  showRun: defineEndpoint('GET /api/keeper/template-runs/:runId', {
    summary: 'Get a template run to continue it',
    access: 'person',
    params: runParams,
    response: templateRun,
  }),
  answerStep: defineEndpoint('PUT /api/keeper/template-runs/:runId', {
    summary: 'Answer the current step; `done` completes it, and the last step creates the entry',
    access: 'person',
    params: runParams,
    body: z.object({
      answers: templateAnswers,
      done: z.optional(z.boolean('Use true or false.')),
      /** The step being answered; earlier ones can be answered again. */
      step: z.optional(z.int().check(z.minimum(0))),
      timezone: z.optional(timeZone),
    }),
    response: templateRun,
    maxBodyBytes: 4 * 1024 * 1024,
  }),
  abandon: defineEndpoint('DELETE /api/keeper/template-runs/:runId', {
    summary: 'Move an unfinished run to the trash',
    access: 'person',
    params: runParams,
    response: emptyResponse,
  }),
}
