import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { instant } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { consentFields } from './connections.ts'
import { connectionScopes } from './scopes.ts'

const maxUrlLength = 2_000

const clientId = z.string().check(z.minLength(1, 'client_id is missing.'), z.maxLength(maxUrlLength))
const redirectUri = z.string().check(z.minLength(1, 'redirect_uri is missing.'), z.maxLength(maxUrlLength))
const scope = z.optional(z.string().check(z.maxLength(500)))
const resource = z.optional(z.string().check(z.maxLength(maxUrlLength)))
const state = z.optional(z.string().check(z.maxLength(4_000)))

export const oauth = {
  describe: defineEndpoint('GET /api/oauth/request', {
    summary: 'Describe the program that asks for access, and what it could read now',
    access: 'person',
    query: z.object({ client_id: clientId, redirect_uri: redirectUri, scope, resource, state }),
    response: z.object({
      name: displayLine,
      /** The browser is sent to this host afterwards. */
      redirectHost: displayLine,
      /** The program runs on this computer: any program on it could claim this name. */
      isLocal: z.boolean(),
      scopes: z.array(z.enum(connectionScopes)),
      /** The address that refuses the access. */
      refusalUrl: z.string(),
      keepers: z.array(z.object({ id: z.string(), title: displayLine, cards: z.number(), moments: z.number() })),
    }),
  }),
  consent: defineEndpoint('POST /api/oauth/consent', {
    summary: 'Let a program in; returns the address with the code it exchanges for tokens',
    access: 'person',
    proof: 'recent',
    body: z.object({
      client_id: clientId,
      redirect_uri: redirectUri,
      resource,
      state,
      code_challenge: z.string().check(z.regex(/^[\w.~-]{43,128}$/, 'Send an S256 code challenge.')),
      code_challenge_method: z.literal('S256', 'Only S256 is supported.'),
      scopes: consentFields.scopes,
      keeperIds: consentFields.keeperIds,
      topics: z.optional(consentFields.topics),
      withoutMoods: consentFields.withoutMoods,
      purpose: consentFields.purpose,
      monthlyBudgetUsd: z.optional(consentFields.monthlyBudgetUsd),
      expiresAt: z.nullable(instant),
    }),
    response: z.object({ redirectUrl: z.string() }),
  }),
}
