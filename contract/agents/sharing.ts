import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'

export const agentRights = ['run', 'edit', 'share', 'delete'] as const
export type AgentRight = (typeof agentRights)[number]

export const agentGrant = z.object({
  person: z.object({ id: z.string(), name: z.nullable(displayLine), email: z.nullable(z.string()) }),
  rights: z.array(z.enum(agentRights)),
  granted_at: z.string(),
  /** Whether the caller can change it: only rights they hold themselves, and never their own. */
  may_change: z.boolean(),
})
export type AgentGrant = z.infer<typeof agentGrant>

const agentParams = z.object({ agentId: z.string().check(z.maxLength(64)) })
const grantParams = z.object({ ...agentParams.shape, personId: z.string().check(z.maxLength(64)) })

export const sharing = {
  list: defineEndpoint('GET /api/kip/agents/:agentId/grants', {
    summary: 'List the permissions on a shared agent; for its owner and people who can share it',
    access: 'person',
    params: agentParams,
    response: z.object({ grants: z.array(agentGrant), mine: z.array(z.enum(agentRights)) }),
  }),
  grant: defineEndpoint('PUT /api/kip/agents/:agentId/grants/:personId', {
    summary: 'Set a person’s permissions on a shared agent; an empty list revokes them',
    access: 'person',
    params: grantParams,
    body: z.object({
      rights: z
        .array(z.enum(agentRights, 'Choose from run, edit, share, delete.'))
        .check(z.maxLength(agentRights.length)),
    }),
    response: z.nullable(agentGrant),
  }),
  revoke: defineEndpoint('DELETE /api/kip/agents/:agentId/grants/:personId', {
    summary: 'Revoke a person’s permissions on an agent, effective from their next request',
    access: 'person',
    params: grantParams,
    response: emptyResponse,
  }),
}
