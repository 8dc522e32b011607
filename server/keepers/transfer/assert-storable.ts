import { requireStorable } from '#server/http/request-body.ts'

/** Like `requireStorable`, without a size limit: an archive can hold more than a request. @throws Problem 400 */
export function assertStorable(value: unknown): void {
  requireStorable(value, Number.POSITIVE_INFINITY)
}
