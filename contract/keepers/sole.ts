import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { id, keeperParams, pagedQuery } from './keeper-words.ts'
import { memoryConsent } from './memory-checks.ts'
import { soleDocument, soleSource, soleStatement, statementKinds } from './sole-document.ts'

export type { QuotableEntity, SoleSource, SoleStatement, StatementKind } from './sole-document.ts'

export const soleStatuses = ['draft', 'active', 'superseded', 'rejected'] as const
export type SoleStatus = (typeof soleStatuses)[number]

/** The tool an agent hands in its draft with. */
export const submitSoleDraftTool = 'submit_sole_draft'

export const soleVersion = z.extend(soleDocument, {
  keeperId: z.string(),
  status: z.enum(soleStatuses),
  authorKind: z.enum(['person', 'agent', 'import']),
  runId: z.nullable(z.string()),
  /** The active version when it was submitted. */
  basedOn: z.nullable(z.number()),
  submittedAt: z.string(),
  decidedBy: z.nullable(z.object({ id: z.string(), name: z.nullable(shownLine) })),
  decidedAt: z.nullable(z.string()),
  /** Why it was rejected; the next draft is given it. */
  reason: z.nullable(z.string()),
  /** Of one approved in part: what was proposed and not approved. */
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
  /**
   * Without statements: each of its sentences becomes one, and what it says no more of the active version is dropped.
   * Beside statements it is kept only where it says the same, such as with paragraphs of its own.
   */
  content: z.optional(z.string().check(z.maxLength(100_000))),
  /** Such as `narrative`, the default. */
  type: z.optional(oneLine({ max: 40 })),
  statements: z.optional(z.array(newStatement).check(z.maxLength(200, 'Use at most 200 statements.'))),
})

const seedParams = z.object({ id })
const version = z.optional(z.int().check(z.minimum(1)))
/** A keeper as its owner sees it; typed loosely here because keepers carry SOLE documents. */
const keeperAnswer = z.looseObject({
  id: z.string(),
  sole: z.nullable(soleDocument),
  soleDraft: z.nullable(soleDocument),
  soleSubmittedAt: z.nullable(z.string()),
})

export const sole = {
  versions: endpoint('GET /api/keeper/keepers/:id/sole/versions', {
    summary:
      'Every version of a keeper’s SOLE, newest first, up to 1,000 or 16 MB at once; for its owner and reviewers',
    access: 'person',
    params: keeperParams,
    query: pagedQuery,
    returns: z.array(soleVersion),
  }),
  submitDraft: endpoint('POST /api/keeper/keepers/:id/sole/draft', {
    summary: 'Submit a draft; every quote must stand in its source, else 422. A draft that waits already is 409',
    access: 'person',
    params: keeperParams,
    body: newDraft,
    returns: soleVersion,
  }),
  /** Runs the agent that drafts; streams its work when asked to, as every run does. */
  askForDraft: endpoint('POST /api/keeper/keepers/:id/sole/ask-for-draft', {
    summary: 'Have an agent draft the SOLE from the cards, and submit it for review',
    access: 'person',
    params: keeperParams,
    body: z.object({
      /** One's own or a shared agent; the platform's when left out. */
      agentId: z.optional(id),
    }),
    returns: z.object({ draft: soleVersion, run_id: z.string(), mock_mode: z.boolean() }),
    /** As a run; the draft is there when the tool call `submit_sole_draft` is `done`. */
    streams: true,
  }),
  approve: endpoint('POST /api/keeper/:id/sole/approve', {
    summary:
      'Approve the draft, whole or only some of its statements; it becomes the active version. 409 `answers-changed` until that is confirmed',
    access: 'person',
    params: seedParams,
    body: z.object({
      version,
      statementIds: z.optional(z.array(id).check(z.maxLength(200))),
      goldenCheck: memoryConsent,
    }),
    returns: keeperAnswer,
  }),
  reject: endpoint('POST /api/keeper/:id/sole/reject', {
    summary: 'Reject the draft; the reason is given to the next one',
    access: 'person',
    params: seedParams,
    body: z.object({ version, reason: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(2000)))) }),
    returns: keeperAnswer,
  }),
  explain: endpoint('POST /api/keeper/keepers/:id/sole/explanation', {
    summary: 'Have an agent explain the draft statement by statement with its quotes; streamed as a run when asked to',
    access: 'person',
    params: keeperParams,
    body: z.object({ agentId: z.optional(id) }),
    returns: z.object({ response: z.string(), run_id: z.string(), mock_mode: z.boolean() }),
    streams: true,
  }),
  restore: endpoint('POST /api/keeper/keepers/:id/sole/restore/:version', {
    summary: 'Make an earlier approved version the active one again; it comes as a new version',
    access: 'person',
    params: z.object({ id, version: z.coerce.number().check(z.int(), z.minimum(1)) }),
    returns: keeperAnswer,
  }),
  reviewers: endpoint('GET /api/keeper/keepers/:id/sole/reviewers', {
    summary: 'Who may review beside the owner',
    access: 'person',
    params: keeperParams,
    returns: z.array(z.object({ id: z.string(), name: z.nullable(shownLine) })),
  }),
  allowReviewer: endpoint('POST /api/keeper/keepers/:id/sole/reviewers/:personId', {
    summary: 'Let an owner or admin of a domain one belongs to review the drafts of this keeper',
    access: 'person',
    params: z.object({ id, personId: id }),
    returns: z.nullable(z.object({})),
  }),
  withdrawReviewer: endpoint('DELETE /api/keeper/keepers/:id/sole/reviewers/:personId', {
    summary: 'Take reviewing away again',
    access: 'person',
    params: z.object({ id, personId: id }),
    returns: z.nullable(z.object({})),
  }),
  /** Drafts of other people's keepers that wait for this person. */
  toReview: endpoint('GET /api/keeper/sole/to-review', {
    summary: 'Drafts of other people’s keepers that one may review, the longest waiting first; 200 at once',
    access: 'person',
    query: pagedQuery,
    returns: z.array(
      z.object({
        keeperId: z.string(),
        title: shownLine,
        ownerName: z.nullable(shownLine),
        draft: soleVersion,
        active: z.nullable(soleVersion),
      }),
    ),
  }),
}
