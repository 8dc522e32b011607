import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { invitationLink } from './invitation-link.ts'
import { stateOf } from './invitation-view.ts'
import { invitationIsOver, requireInvitation } from './require-invitation.ts'

/** The link of an open invitation again. After the server's secret was changed the link still works, and cannot be shown. */
export async function showLink(
  services: Services,
  person: Person,
  params: { id: string; invitationId: string },
): Promise<{ link: string }> {
  const { invitation } = await requireInvitation(services, person, params)
  const state = stateOf(services, invitation)
  if (state === 'accepted' || state === 'revoked') throw invitationIsOver(state)
  if (state !== 'open') throw new Problem('conflict', { message: `${whyNot[state]} Send it again for a new link.` })
  const { link, hash } = invitationLink(services, invitation)
  if (hash === invitation.token_hash) return { link }
  throw new Problem('conflict', {
    message:
      'This link was made before the server’s secret was changed and cannot be shown any more. It still works for who has it. Send the invitation again for a new link.',
  })
}

const whyNot = {
  expired: 'This invitation is too old.',
  stopped: 'Who sent this invitation does not manage the members any more.',
}
