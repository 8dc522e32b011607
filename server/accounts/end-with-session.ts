import type { Services } from '#server/services.ts'
import { selectActiveSessions } from './active-sessions.ts'
import type { Person } from './person.ts'

const recheckMs = 30_000

/** Ends a stream when its session ends; if the session can't be looked up, the stream goes on. Returns a disposer. */
export function endWithSession(
  services: Services,
  person: Pick<Person, 'id' | 'sessionId'> | null,
  end: () => void,
): () => void {
  if (!person) return () => undefined
  const { live, now, log } = services
  const check = async () => {
    try {
      const session = await selectActiveSessions(services, now().getTime())
        .select('sessions.id')
        .where('sessions.id', '=', person.sessionId)
        .executeTakeFirst()
      if (!session) end()
    } catch (error) {
      log.warn({ err: error }, 'could not check whether a session is still active')
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
