import { oidc } from '#contract/accounts/oidc.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { parseDevice } from '../sessions.ts'
import { completeSignIn, startSignIn } from './complete-sign-in.ts'
import { completeLink, connectIdentity, listIdentities, startLink, unlinkIdentity } from './identities.ts'
import { proveWithProvider, startProof } from './prove-with-provider.ts'
import { findOidcSettings } from './provider.ts'
import type { RoleActions } from './sync-roles.ts'

export function oidcRoutes(services: Services, roleActions: RoleActions): ServedCall[] {
  const { publicUrl, oidc: configured } = services.settings
  return serveArea('oidc', oidc, {
    provider: () => ({
      label: findOidcSettings(services)?.label ?? null,
      problem:
        configured && publicUrl === null
          ? 'Single sign-on is set up, but this server doesn’t know its public address. An administrator can set KEEPER_PUBLIC_URL.'
          : null,
      origin: configured && publicUrl !== null ? new URL(publicUrl).origin : null,
    }),
    start: ({ body, address }) => startSignIn(services, body.invitationToken || null, address),
    complete: ({ body, address, userAgent }) =>
      completeSignIn(services, roleActions, body, { address, device: parseDevice(userAgent) }),
    identities: ({ person }) => listIdentities(services, person),
    startLink: ({ person, address }) => startLink(services, person, address),
    link: ({ person, body, address }) => completeLink(services, person, body, address),
    connect: ({ person, body }) => connectIdentity(services, person, body.ticket),
    startProof: ({ person, address }) => startProof(services, person, address),
    prove: ({ person, body, address }) => proveWithProvider(services, person, body, address),
    unlink: ({ person, params }) => unlinkIdentity(services, person, params.id),
  })
}
