import { expect, test } from 'vitest'
import { runAttempt } from './use-attempt.tsx'

test('a failure stays reported when a later action succeeds, until the next start', async () => {
  let problem: string | undefined
  const attempt = (action: () => Promise<unknown>) =>
    runAttempt(action, (next) => {
      problem = next
    })
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const attempts = [attempt(() => first.promise), attempt(() => second.promise)]
  first.reject(new Error('The path was deleted.'))
  await attempts[0]
  expect(problem).toBe('The path was deleted.')
  second.resolve()
  await attempts[1]
  expect(problem).toBe('The path was deleted.')
  await attempt(async () => undefined)
  expect(problem).toBeUndefined()
})
