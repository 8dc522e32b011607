import * as z from 'zod/mini'
import { displayLine } from '../one-line-text.ts'

export const statementKinds = ['add', 'change', 'drop', 'keep'] as const
export type StatementKind = (typeof statementKinds)[number]
export const quotableEntities = ['reflection', 'moment', 'voice', 'logbook', 'card'] as const
export type QuotableEntity = (typeof quotableEntities)[number]

export const soleSource = z.object({
  entity: z.enum(quotableEntities),
  id: z.string().check(z.maxLength(64)),
  quote: z.string().check(z.minLength(1, 'Quote the source.'), z.maxLength(2000, 'Quote at most 2,000 characters.')),
  at: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
})
export type SoleSource = z.infer<typeof soleSource>

export const soleStatement = z.object({
  id: z.string(),
  text: z.string(),
  /** Relative to the version the draft is based on. */
  kind: z.enum(statementKinds),
  /** The active statement that a `change` or `drop` replaces. A `keep` reuses its ID. */
  replacesId: z.nullable(z.string()),
  sources: z.array(soleSource),
})
export type SoleStatement = z.infer<typeof soleStatement>

export const soleDocument = z.object({
  version: z.number(),
  type: displayLine,
  content: z.string(),
  author: z.string(),
  timestamp: z.string(),
  editable: z.boolean(),
  statements: z.array(soleStatement),
})
export type SoleDocument = z.infer<typeof soleDocument>
