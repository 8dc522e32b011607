import { invitations } from '#contract/domains/invitations.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { createInvitations } from './create-invitations.ts'
import {
  listInvitations,
  previewInvitation,
  resendInvitation,
  revokeInvitation,
  showInvitationLink,
} from './invitations.ts'

export function invitationRoutes(services: Services): ServedCall[] {
  return serveArea('invitations', invitations, {
    create: ({ person, params, body }) => createInvitations(services, person, params.id, body),
    list: ({ person, params, query }) => listInvitations(services, person, params.id, query.cursor),
    resend: ({ person, params }) => resendInvitation(services, person, params),
    revoke: ({ person, params }) => revokeInvitation(services, person, params),
    link: ({ person, params }) => showInvitationLink(services, person, params),
    look: ({ body, address }) => previewInvitation(services, body.token, address),
    accept: ({ person, body }) => acceptInvitation(services, person, body.token),
  })
}
