import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint } from './entity-endpoint.ts'
import { emptyResponse, id, pagedQuery } from './keeper-fields.ts'
import { memoryConsent } from './memory-checks.ts'
import { soleDocument, soleSource, soleStatement, statementKinds } from './sole-document.ts'

export type { QuotableEntity, SoleSource, SoleStatement, StatementKind } from './sole-document.ts'

export const soleStatuses = ['draft', 'active', 'superseded', 'rejected'] as const
export type SoleStatus = (typeof soleStatuses)[number]

export const submitSoleDraftTool = 'submit_sole_draft'

export const soleVersion = z.extend(soleDocument, {
  keeperId: z.string(),
  status: z.enum(soleStatuses),
  authorKind: z.enum(['person', 'agent', 'import']),
  runId: z.nullable(z.string()),
  basedOn: z.nullable(z.number()),
  submittedAt: z.string(),
  decidedBy: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
  decidedAt: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  leftOut: z.array(soleStatement),
})
export type SoleVersion = z.infer<typeof soleVersion>

export const newStatement = z.object({
  id: z.optional(z.string().check(z.maxLength(64))),
  text: z.string().check(z.trim(), z.minLength(1, 'Write the statement.'), z.maxLength(2000)),
  kind: z.optional(z.enum(statementKinds)),
  replacesId: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
  sources: z.optional(z.array(soleSource).check(z.maxLength(10))),
})
export type NewStatement = z.infer<typeof newStatement>
export const newDraft = z.object({
  /** Without `statements`, each sentence becomes one, and missing statements are dropped. Otherwise it must say the same as they do. */
  content: z.optional(z.string().check(z.maxLength(100_000))),
  type: z.optional(oneLine({ max: 40 })),
  statements: z.optional(z.array(newStatement).check(z.maxLength(200, 'Use at most 200 statements.'))),
})

const version = z.optional(z.int().check(z.minimum(1)))
const keeperResponse = z.looseObject({
  id: z.string(),
  sole: z.nullable(soleDocument),
  soleDraft: z.nullable(soleDocument),
  soleSubmittedAt: z.nullable(z.string()),
})

export const sole = {
  versions: defineEntityEndpoint('GET /api/keeper/keepers/:id/sole/versions', {
    summary:
      'List the versions of a keeper’s SOLE, newest first, up to 1,000 or 16 MB per page; for its owner and reviewers',
    query: pagedQuery,
    response: z.array(soleVersion),
  }),
  submitDraft: defineEntityEndpoint('POST /api/keeper/keepers/:id/sole/draft', {
    summary: 'Submit a draft; every quote must appear in its source, else 422. 409 while another draft is waiting',
    body: newDraft,
    response: soleVersion,
  }),
  askForDraft: defineEntityEndpoint('POST /api/keeper/keepers/:id/sole/ask-for-draft', {
    summary: 'Have an agent draft the SOLE from the cards, and submit it for review',
    body: z.object({ agentId: z.optional(id) }),
    response: z.object({ draft: soleVersion, run_id: z.string(), mock_mode: z.boolean() }),
    /** Streams as a run; the draft exists once the tool call `submit_sole_draft` is `done`. */
    canStream: true,
  }),
  approve: defineEntityEndpoint('POST /api/keeper/:id/sole/approve', {
    summary:
      'Approve a draft or some of its statements; it becomes the active version. 409 `answers-changed` if answers to golden questions change, until `goldenCheck` confirms it',
    body: z.object({
      version,
      statementIds: z.optional(z.array(id).check(z.maxLength(200))),
      goldenCheck: memoryConsent,
    }),
    response: keeperResponse,
  }),
  reject: defineEntityEndpoint('POST /api/keeper/:id/sole/reject', {
    summary: 'Reject a draft; the next draft receives the reason',
    body: z.object({ version, reason: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(2000)))) }),
    response: keeperResponse,
  }),
  explain: defineEntityEndpoint('POST /api/keeper/keepers/:id/sole/explanation', {
    summary: 'Have an agent explain a draft statement by statement with its quotes; can be streamed as a run',
    body: z.object({ agentId: z.optional(id) }),
    response: z.object({ response: z.string(), run_id: z.string(), mock_mode: z.boolean() }),
    canStream: true,
  }),
  restore: defineEndpoint('POST /api/keeper/keepers/:id/sole/restore/:version', {
    summary: 'Restore an earlier approved version as a new active version',
    access: 'person',
    params: z.object({ id, version: z.coerce.number().check(z.int(), z.minimum(1)) }),
    response: keeperResponse,
  }),
  reviewers: defineEntityEndpoint('GET /api/keeper/keepers/:id/sole/reviewers', {
    summary: 'List the reviewers besides the owner',
    response: z.array(z.object({ id: z.string(), name: z.nullable(displayLine) })),
  }),
  allowReviewer: defineEndpoint('POST /api/keeper/keepers/:id/sole/reviewers/:personId', {
    summary: 'Let an owner or admin of one of your domains review this keeper’s drafts',
    access: 'person',
    params: z.object({ id, personId: id }),
    response: emptyResponse,
  }),
  withdrawReviewer: defineEndpoint('DELETE /api/keeper/keepers/:id/sole/reviewers/:personId', {
    summary: 'Remove a reviewer',
    access: 'person',
    params: z.object({ id, personId: id }),
    response: emptyResponse,
  }),
  toReview: defineEndpoint('GET /api/keeper/sole/to-review', {
    summary: 'List drafts of other people’s keepers that you can review, oldest first; 200 per page',
    access: 'person',
    query: pagedQuery,
    response: z.array(
      z.object({
        keeperId: z.string(),
        title: displayLine,
        ownerName: z.nullable(displayLine),
        draft: soleVersion,
        active: z.nullable(soleVersion),
      }),
    ),
  }),
}
