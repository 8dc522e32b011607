import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { deriveInvitationLink } from './invitation-link.ts'
import { getInvitationState } from './invitation-view.ts'
import { invitationClosed, requireInvitation } from './require-invitation.ts'

/** The link of an open invitation. After a secret rotation it still works, but can't be shown. */
export async function showInvitationLink(
  services: Services,
  person: Person,
  params: { id: string; invitationId: string },
): Promise<{ link: string }> {
  const { invitation } = await requireInvitation(services, person, params)
  const state = getInvitationState(services, invitation)
  if (state === 'accepted' || state === 'revoked') throw invitationClosed(state)
  if (state !== 'open')
    throw new Problem('conflict', { message: `${closedReasons[state]} Resend the invitation for a new link.` })
  const { link, hash } = deriveInvitationLink(services, invitation)
  if (hash === invitation.token_hash) return { link }
  throw new Problem('conflict', {
    message:
      'This link was created before the server’s secret changed, so it can’t be shown again. It still works for anyone who has it. Resend the invitation for a new link.',
  })
}

const closedReasons = {
  expired: 'This invitation has expired.',
  stopped: 'The sender can no longer manage members.',
}
