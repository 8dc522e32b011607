import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { buildForgetWrites, forgetSession } from './chat-sessions.ts'

/** A visitor's cookie lives a day; the extra hour covers runs still being written. */
const visitorRetentionMs = 25 * hourMs
const batchSize = 100

export async function sweepVisitors(services: Services): Promise<void> {
  const cutoff = services.now().getTime() - visitorRetentionMs
  await sweepSessions(services, cutoff)
  await sweepRuns(services, cutoff)
}

async function sweepSessions(services: Services, cutoff: number): Promise<void> {
  for (;;) {
    const sessions = await services.db
      .selectFrom('chat_sessions')
      .select(['id', 'shown_message_id'])
      .where('visitor_id', 'is not', null)
      .where('updated_at', '<=', cutoff)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('runs')
              .select('runs.id')
              .whereRef('runs.session_id', '=', 'chat_sessions.id')
              .where('runs.status', '=', 'running'),
          ),
        ),
      )
      .limit(batchSize)
      .execute()
    let forgottenCount = 0
    for (const session of sessions) if (await forgetSession(services, session)) forgottenCount += 1
    // Another process deleted the remaining sessions, or their visitors returned.
    if (forgottenCount === 0) return
  }
}

async function sweepRuns({ db }: Services, cutoff: number): Promise<void> {
  let createdSince = 0
  for (;;) {
    const runs = await db
      .selectFrom('runs')
      .select(['id', 'created_at'])
      // Lets the query use the index that starts with person_id.
      .where('person_id', 'is', null)
      .where('visitor_id', 'is not', null)
      .where('created_at', '>=', createdSince)
      .where('created_at', '<=', cutoff)
      .where('session_id', 'is', null)
      .where('status', '!=', 'running')
      .where('input', '!=', '')
      .orderBy('created_at')
      .limit(batchSize)
      .execute()
    const lastRun = runs.at(-1)
    if (!lastRun) return
    await db.batch(
      buildForgetWrites(
        db,
        runs.map(({ id }) => id),
      ),
    )
    createdSince = lastRun.created_at
  }
}
