import { isProofRecent } from '#contract/accounts/session-methods.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { Problem } from './problem.ts'

/** A borrowed device or a stolen token can't change how the person signs in, or take what is worth most. @throws Problem 403 */
export function requireRecentProof({ now }: Pick<Services, 'now'>, person: Person): void {
  if (!isProofRecent(person.provedAt, now().getTime())) throw new Problem('proof-needed')
}
