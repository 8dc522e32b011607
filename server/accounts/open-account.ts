import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

/** @throws Problem 401 for an account that is being deleted, 403 for a deactivated one */
export function requireOpenAccount(
  services: Pick<Services, 'now'>,
  account: { deletes_at: number | null; deactivated_at: number | null },
): void {
  if (account.deletes_at !== null && account.deletes_at <= services.now().getTime())
    throw new Problem('wrong-credentials')
  if (account.deactivated_at !== null) throw new Problem('account-deactivated')
}
