import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { badField, Problem } from './problem.ts'

interface IdempotentRequest {
  person: Person
  key: string
  operation: string
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

interface StoredResponse {
  status: number
  body: string
}

const reservationTimeoutMs = 60_000
const retentionMs = dayMs
const keyPattern = /^[\x21-\x7e]{1,200}$/

const idStorage = new AsyncLocalStorage<() => string>()

/** An id that a retry of the current create repeats, so that it collides instead of creating a duplicate. */
export function nextIdempotentId(): string | undefined {
  return idStorage.getStore()?.()
}

function createIdGenerator(requestId: string): () => string {
  let count = 0
  return () => hash('sha256', `${requestId} ${++count}`).slice(0, 32)
}

/** Stores the first answer for a day. @throws Problem `conflict` while it runs, `unprocessable` for another request */
export async function runIdempotently(
  services: Services,
  request: IdempotentRequest,
  execute: () => Promise<StoredResponse>,
): Promise<StoredResponse & { isRepeated: boolean }> {
  if (!keyPattern.test(request.key)) {
    throw badField('idempotency-key', 'Send an Idempotency-Key of at most 200 ASCII characters.')
  }
  const id = hash('sha256', `${request.person.id} ${request.operation} ${request.key}`)
  const { params, query, body } = request
  const bodyHash = hash('sha256', JSON.stringify([params, query, body]))
  const earlier = await reserveKey(services, { id, bodyHash, personId: request.person.id })
  if (earlier) return { ...earlier, isRepeated: true }
  try {
    const response = await idStorage.run(createIdGenerator(id), execute)
    const saveResponse = services.db
      .updateTable('answered_creates')
      .set({ status: response.status, answer: response.body })
    await logFailure(services, saveResponse.where('id', '=', id).execute())
    return { ...response, isRepeated: false }
  } catch (error) {
    const releaseKey = services.db.deleteFrom('answered_creates').where('id', '=', id).where('status', 'is', null)
    await logFailure(services, releaseKey.execute())
    const isEarlierCreation = error instanceof UniqueViolation && error.columns.join() === 'id'
    if (!isEarlierCreation) throw error
    const message = 'Keeper already created this, but the response was lost. Reload to see it.'
    throw new Problem('conflict', { message })
  }
}

async function logFailure(services: Services, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => services.log.error({ err: error }, 'an idempotency key could not be saved'))
}

async function reserveKey(
  services: Services,
  { id, bodyHash, personId }: { id: string; bodyHash: string; personId: string },
): Promise<StoredResponse | null> {
  const now = services.now().getTime()
  const reserved = await services.db
    .insertInto('answered_creates')
    .values({ id, person_id: personId, body_hash: bodyHash, status: null, answer: null, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ created_at: now, body_hash: bodyHash })
        .where('answered_creates.status', 'is', null)
        .where('answered_creates.created_at', '<', now - reservationTimeoutMs),
    )
    .returning('id')
    .executeTakeFirst()
  if (reserved) return null
  const earlier = await services.db.selectFrom('answered_creates').selectAll().where('id', '=', id).executeTakeFirst()
  if (!earlier || earlier.status === null || earlier.answer === null) {
    throw new Problem('conflict', {
      message: 'This request is already being processed. Try again in a moment.',
      retryAfterSeconds: 1,
    })
  }
  if (earlier.body_hash !== bodyHash) {
    throw new Problem('unprocessable', {
      message: 'This Idempotency-Key was already used for a different request. Use a new one.',
    })
  }
  return { status: earlier.status, body: earlier.answer }
}

export async function sweepAnsweredCreates(services: Services): Promise<void> {
  await services.db
    .deleteFrom('answered_creates')
    .where('created_at', '<', services.now().getTime() - retentionMs)
    .execute()
}
