import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/token.ts'
import { type InvitationRow, invitationRows, stateOf } from './invitation-view.ts'

/**
 * The open invitation of that link.
 * @throws Problem `invitation-refused`, one and the same for used, taken back, too old, stopped and unknown
 */
export async function requireOpenInvitation(services: Services, token: string): Promise<InvitationRow> {
  const row = await invitationRows(services).where('invitations.token_hash', '=', hashToken(token)).executeTakeFirst()
  if (!row || stateOf(services, row) !== 'open') throw new Problem('invitation-refused')
  return row
}
