import * as z from 'zod/mini'
import { dollars } from '../agents/usage.ts'
import { defineEndpoint } from '../endpoint.ts'
import { cursorQuery, entities, id, instant, topicName } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { connectionScopes } from './scopes.ts'

export const maxConnections = 100
export const defaultTokenDays = 90
export const maxTokenDays = 3650
const maxConsentKeepers = 100
const maxConsentTopics = 50

const scopes = z
  .array(z.enum(connectionScopes))
  .check(z.minLength(1, 'Choose at least one.'), z.maxLength(connectionScopes.length))

/** The person's consent; `null` keepers or topics mean all of them. */
export const consentFields = {
  scopes,
  keeperIds: z.nullable(z.array(id).check(z.maxLength(maxConsentKeepers, 'Choose at most 100 keepers.'))),
  topics: z.nullable(z.array(topicName).check(z.maxLength(maxConsentTopics, 'Choose at most 50 topics.'))),
  withoutMoods: z.boolean('Use true or false.'),
  purpose: oneLine({ max: 200 }),
  /** For the agents it runs; `null`: only the person’s own budgets. */
  monthlyBudgetUsd: z.nullable(dollars),
}

export const connection = z.object({
  id: z.string(),
  name: displayLine,
  /** `token`: a personal access token; `app`: signed in with OAuth. */
  kind: z.enum(['token', 'app']),
  /** Redirect host of an app. */
  host: z.nullable(displayLine),
  scopes: z.array(z.enum(connectionScopes)),
  keeperIds: z.nullable(z.array(z.string())),
  topics: z.nullable(z.array(displayLine)),
  withoutMoods: z.boolean(),
  purpose: displayLine,
  monthlyBudgetUsd: z.nullable(z.number()),
  /** The last four characters of a personal access token. */
  hint: z.nullable(z.string()),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  lastUsedAt: z.nullable(z.string()),
  revokedAt: z.nullable(z.string()),
})
export type Connection = z.infer<typeof connection>

/** One item that a program was given. */
export const connectionRead = z.object({
  id: z.string(),
  entity: z.enum(entities),
  entityId: z.string(),
  keeperId: z.string(),
  /** How the entry begins; `null` if it was deleted. */
  title: z.nullable(displayLine),
  /** The tool, and what it searched for. */
  purpose: displayLine,
  at: z.string(),
})
export type ConnectionRead = z.infer<typeof connectionRead>

const name = oneLine({ max: 80, min: 1, message: 'Enter a name.' })
const expiresInDays = z.nullable(
  z.int('Enter a whole number of days.').check(z.minimum(1), z.maximum(maxTokenDays, 'Enter at most 3,650 days.')),
)

export const connections = {
  list: defineEndpoint('GET /api/connections', {
    summary: 'List the programs you connected, newest first, revoked ones last; at most 200',
    access: 'person',
    response: z.array(connection),
  }),
  createToken: defineEndpoint('POST /api/connections/tokens', {
    summary: 'Create a personal access token; the token is in this response only',
    access: 'person',
    proof: 'recent',
    body: z.object({
      name,
      scopes,
      keeperIds: z.optional(consentFields.keeperIds),
      topics: z.optional(consentFields.topics),
      withoutMoods: z.optional(consentFields.withoutMoods),
      purpose: z.optional(consentFields.purpose),
      monthlyBudgetUsd: z.optional(consentFields.monthlyBudgetUsd),
      /** 90 by default; `null` never ends. */
      expiresInDays: z.optional(expiresInDays),
      /** Instead of `expiresInDays`. */
      expiresAt: z.optional(z.nullable(instant)),
    }),
    response: z.object({ connection, token: z.string() }),
  }),
  update: defineEndpoint('PUT /api/connections/:id', {
    summary: 'Change what a connected program can read and until when',
    access: 'person',
    proof: 'recent',
    params: z.object({ id }),
    body: z.object({
      name: z.optional(name),
      keeperIds: z.optional(consentFields.keeperIds),
      topics: z.optional(consentFields.topics),
      withoutMoods: z.optional(consentFields.withoutMoods),
      purpose: z.optional(consentFields.purpose),
      monthlyBudgetUsd: z.optional(consentFields.monthlyBudgetUsd),
      expiresAt: z.optional(z.nullable(instant)),
    }),
    response: connection,
  }),
  reads: defineEndpoint('GET /api/connections/:id/reads', {
    summary: 'List everything a connected program was given, newest first; 1,000 per page',
    access: 'person',
    params: z.object({ id }),
    query: z.object(cursorQuery),
    response: z.array(connectionRead),
  }),
  revoke: defineEndpoint('DELETE /api/connections/:id', {
    summary: 'Revoke a program’s access; its next call is refused',
    access: 'person',
    params: z.object({ id }),
    response: connection,
  }),
}
