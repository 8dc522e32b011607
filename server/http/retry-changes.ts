import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from './problem.ts'

const maxAttempts = 4

/** Repeats an action that read rows which changed before its writes. @throws Problem 409 after the last attempt */
export async function retryChanges<T>(
  action: () => Promise<T>,
  isConflict = (error: unknown): boolean => error instanceof UnexpectedChanges,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action()
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === maxAttempts) throw new Problem('conflict', { cause: error })
    }
  }
}
