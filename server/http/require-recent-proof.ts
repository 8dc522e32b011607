import { isProofRecent } from '#contract/accounts/session-methods.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { Problem } from './problem.ts'

/** Protects sign-in methods and whole accounts from a borrowed device or a stolen token. @throws Problem 403 */
export function requireRecentProof({ now }: Pick<Services, 'now'>, person: Person): void {
  if (!isProofRecent(person.provedAt, now().getTime())) throw new Problem('proof-needed')
}
