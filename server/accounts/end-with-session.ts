import type { Services } from '#server/services.ts'
import { livingSessions } from './living-sessions.ts'
import type { Person } from './person.ts'

/** How soon a session that ended where nobody said so is noticed; else it is at once. */
const recheckMs = 30_000

/**
 * Ends a stream together with the session that opened it: what it goes on to say is for who is still signed in. Where the
 * session cannot be looked up the stream goes on. Returns the function that stops watching.
 */
export function endWithSession(
  services: Services,
  person: Pick<Person, 'id' | 'sessionId'> | null,
  end: () => void,
): () => void {
  if (!person) return () => undefined
  const { live, now, log } = services
  const check = async () => {
    try {
      const session = await livingSessions(services, now().getTime())
        .select('sessions.id')
        .where('sessions.id', '=', person.sessionId)
        .executeTakeFirst()
      if (!session) end()
    } catch (error) {
      log.warn({ err: error }, 'whether a session goes on could not be looked up')
    }
  }
  const recheck = setInterval(check, recheckMs)
  recheck.unref()
  const unsubscribe = live.subscribe(
    person.id,
    ({ type }) => {
      if (type === 'session-ended') void check()
    },
    () => void check(),
  )
  return () => {
    clearInterval(recheck)
    unsubscribe()
  }
}
