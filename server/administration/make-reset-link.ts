import type { Person } from '#server/accounts/person.ts'
import { resetLink } from '#server/accounts/reset-password.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireAccountToActOn } from './account-access.ts'

const tries = 4

/** A reset link to hand over, from the command line. @throws Problem 409 for a deactivated account */
export async function makeResetLink(services: Services, personId: string): Promise<string> {
  const also = [auditing(services, { action: 'reset-link-made', actor: null, personId })]
  const link = await resetLink(services, personId, { handedOver: { byLesser: false }, also })
  if (link === null) throw deactivated()
  return link
}

/** @throws Problem 403, 404; 409 for a deactivated account */
export async function makeResetLinkFor(services: Services, person: Person, id: string): Promise<string> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const { deactivated_at, roles } = await requireAccountToActOn(services, person, id)
    if (deactivated_at !== null) throw deactivated()
    const link = await resetLink(services, id, {
      handedOver: { byLesser: !person.permissions.has('manage_platform_roles'), roles },
      also: [auditing(services, { action: 'reset-link-made', actor: person, personId: id })],
    })
    // The account's roles changed concurrently: check again whether the person can act on it.
    if (link !== null) return link
  }
  throw new Problem('conflict')
}

function deactivated(): Problem {
  return new Problem('conflict', { message: 'This account is deactivated. Reactivate it first.' })
}
