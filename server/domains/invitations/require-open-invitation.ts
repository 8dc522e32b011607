import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/values/token.ts'
import { getInvitationState, type InvitationRow, selectInvitations } from './invitation-view.ts'

export function findInvitation(services: Services, token: string): Promise<InvitationRow | undefined> {
  return selectInvitations(services).where('invitations.token_hash', '=', hashToken(token)).executeTakeFirst()
}

/** @throws Problem `invitation-refused`, alike for used, revoked, expired, stopped and unknown invitations */
export function requireOpenRow(services: Services, row: InvitationRow | undefined): InvitationRow {
  if (!row || getInvitationState(services, row) !== 'open') throw new Problem('invitation-refused')
  return row
}

/** @throws Problem as {@link requireOpenRow} */
export async function requireOpenInvitation(services: Services, token: string): Promise<InvitationRow> {
  return requireOpenRow(services, await findInvitation(services, token))
}
