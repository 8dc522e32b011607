import { invitations } from '#contract/domains/invitations.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { createInvitations } from './create-invitations.ts'
import { listInvitations } from './list-invitations.ts'
import { previewInvitation } from './preview-invitation.ts'
import { resendInvitation } from './resend-invitation.ts'
import { revokeInvitation } from './revoke-invitation.ts'
import { showInvitationLink } from './show-link.ts'

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
