import { ApiError } from '#web/api/api.ts'

/** The token for the second step, if the password was right and a code is missing. */
export function getPendingToken(reason: unknown): string | undefined {
  if (!(reason instanceof ApiError) || reason.code !== 'second-factor-needed') return undefined
  return (reason.data as { pending?: { token?: string } } | undefined)?.pending?.token
}
