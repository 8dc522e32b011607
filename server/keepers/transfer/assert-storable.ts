import { assertKeepable } from '#server/http/request-body.ts'

/**
 * Text that both databases can keep, however much of it: an archive of Keeper itself may hold more than a request.
 * @throws Problem 400
 */
export function assertStorable(value: unknown): void {
  assertKeepable(value, Number.POSITIVE_INFINITY)
}
