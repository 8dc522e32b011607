import { connections } from '#contract/connections/connections.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { proposals } from '#contract/connections/proposals.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { MemoryConsent } from '#server/keepers/memory-checks/memory-check.ts'
import { approveProposal, countProposals, listProposals, rejectProposal } from '#server/keepers/proposals/proposals.ts'
import type { Services } from '#server/services.ts'
import { listConnectionReads } from './list-reads.ts'
import { createPersonalToken, listConnections, revokeConnection, updateConnection } from './manage-connections.ts'
import { describeRequest, grantAccess } from './oauth/authorize.ts'

export function connectionRoutes(services: Services): ServedCall[] {
  return [
    ...serveArea('connections', connections, {
      list: ({ person }) => listConnections(services, person),
      createToken: ({ person, body }) => createPersonalToken(services, person, body),
      update: ({ person, params, body }) => updateConnection(services, person, params.id, body),
      reads: ({ person, params, query }) => listConnectionReads(services, person, params.id, query),
      revoke: ({ person, params }) => revokeConnection(services, person, params.id),
    }),
    ...serveArea('oauth', oauth, {
      describe: ({ person, query }) => describeRequest(services, person, query),
      consent: ({ person, body }) => grantAccess(services, person, body),
    }),
    ...serveArea('proposals', proposals, {
      list: ({ person }) => listProposals(services, person),
      count: ({ person }) => countProposals(services, person),
      async approve({ person, params, body: { goldenCheck, ...changes } }) {
        const consent = new MemoryConsent(services, person, goldenCheck)
        return consent.toReply(await approveProposal(services, person, { id: params.id, changes, consent }))
      },
      reject: ({ person, params, body }) => rejectProposal(services, person, params.id, body.reason),
    }),
  ]
}
