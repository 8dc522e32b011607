import * as z from 'zod/mini'
import { shownLine } from '../one-line-text.ts'

export const statementKinds = ['add', 'change', 'drop', 'keep'] as const
export type StatementKind = (typeof statementKinds)[number]
/** What a statement may quote. */
export const quotableEntities = ['reflection', 'moment', 'voice', 'logbook', 'card'] as const
export type QuotableEntity = (typeof quotableEntities)[number]

export const soleSource = z.object({
  entity: z.enum(quotableEntities),
  id: z.string().check(z.maxLength(64)),
  /** Stands in the source letter for letter. */
  quote: z.string().check(z.minLength(1, 'Quote the source.'), z.maxLength(2000, 'Quote at most 2,000 characters.')),
  /** When the source was written; the server fills it in. */
  at: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
})
export type SoleSource = z.infer<typeof soleSource>

export const soleStatement = z.object({
  id: z.string(),
  text: z.string(),
  /** What it does to the version the draft is based on. */
  kind: z.enum(statementKinds),
  /** Of `change` and `drop`: the statement of the active version it stands for. A `keep` has the id it had there. */
  replacesId: z.nullable(z.string()),
  sources: z.array(soleSource),
})
export type SoleStatement = z.infer<typeof soleStatement>

/** The seed's architecture or draft. */
export const soleDocument = z.object({
  version: z.number(),
  type: shownLine,
  /** The standing story: its statements, one after the other. */
  content: z.string(),
  author: z.string(),
  timestamp: z.string(),
  editable: z.boolean(),
  statements: z.array(soleStatement),
})
export type SoleDocument = z.infer<typeof soleDocument>
