import type { Person } from '#server/accounts/person.ts'
import { createResetUrl } from '#server/accounts/reset-password.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireManageableAccount } from './account-access.ts'

const maxAttempts = 4

/** A reset link to hand over, from the command line. @throws Problem 409 for a deactivated account */
export async function createCommandLineResetLink(services: Services, personId: string): Promise<string> {
  const extraWrites = [insertAudit(services, { action: 'reset-link-made', actor: null, personId })]
  const link = await createResetUrl(services, personId, { issuedByAdmin: { isIssuerLimited: false }, extraWrites })
  if (link === null) throw createDeactivatedProblem()
  return link
}

/** @throws Problem 403, 404; 409 for a deactivated account */
export async function createHandedOverResetLink(services: Services, person: Person, id: string): Promise<string> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { deactivated_at, roles } = await requireManageableAccount(services, person, id)
    if (deactivated_at !== null) throw createDeactivatedProblem()
    const link = await createResetUrl(services, id, {
      issuedByAdmin: { isIssuerLimited: !person.permissions.has('manage_platform_roles'), allowedRoles: roles },
      extraWrites: [insertAudit(services, { action: 'reset-link-made', actor: person, personId: id })],
    })
    if (link !== null) return link
  }
  throw new Problem('conflict')
}

function createDeactivatedProblem(): Problem {
  return new Problem('conflict', { message: 'This account is deactivated. Reactivate it first.' })
}
