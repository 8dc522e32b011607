import { resetLink } from '#server/accounts/change-password.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireAccountToActOn } from './account-access.ts'

/** A link to set a new password, to be handed over. `by` is `null` from the command line. */
export function makeResetLink(services: Services, personId: string, by: { id: string } | null): Promise<string> {
  return resetLink(services, personId, [auditing(services, { action: 'reset-link-made', actor: by, personId })])
}

/** @throws Problem 403, 404; 409 for an account that is deactivated */
export async function makeResetLinkFor(services: Services, person: Person, id: string): Promise<string> {
  const { deactivated_at } = await requireAccountToActOn(services, person, id)
  if (deactivated_at !== null)
    throw new Problem('conflict', { message: 'This account is deactivated. Reactivate it first.' })
  return makeResetLink(services, id, person)
}
