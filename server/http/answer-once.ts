import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'
import { badField, Problem } from './problem.ts'

interface Create {
  person: Person
  key: string
  /** The route, so that one key can serve several kinds. */
  address: string
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

interface Answer {
  status: number
  body: string
}

/** Longer than any create takes; afterwards the reservation counts as abandoned. */
const patienceMs = 60_000
const keptMs = dayMs
const keyPattern = /^[\x21-\x7e]{1,200}$/

const idsOfCreates = new AsyncLocalStorage<() => string>()

/** An id that a retry of the current create repeats, so that it collides instead of creating a duplicate. */
export function idOfCreate(): string | undefined {
  return idsOfCreates.getStore()?.()
}

function idsFrom(create: string): () => string {
  let count = 0
  return () => hash(`${create} ${++count}`).slice(0, 32)
}

/** Stores the first answer for a day. @throws Problem `conflict` while it runs, `unprocessable` for another request */
export async function answerOnce(
  services: Services,
  create: Create,
  carryOut: () => Promise<Answer>,
): Promise<Answer & { again: boolean }> {
  if (!keyPattern.test(create.key)) {
    throw badField('idempotency-key', 'Send an Idempotency-Key of at most 200 plain characters.')
  }
  const id = hash(`${create.person.id} ${create.address} ${create.key}`)
  const { params, query, body } = create
  const bodyHash = hash(JSON.stringify([params, query, body]))
  const earlier = await begin(services, { id, bodyHash, personId: create.person.id })
  if (earlier) return { ...earlier, again: true }
  try {
    const answer = await idsOfCreates.run(idsFrom(id), carryOut)
    const kept = services.db.updateTable('answered_creates').set({ status: answer.status, answer: answer.body })
    // The create succeeded even if its answer can't be stored.
    await orLogged(services, kept.where('id', '=', id).execute())
    return { ...answer, again: false }
  } catch (error) {
    const free = services.db.deleteFrom('answered_creates').where('id', '=', id).where('status', 'is', null)
    await orLogged(services, free.execute())
    throw madeBefore(error) ? alreadyMade() : error
  }
}

async function orLogged(services: Services, writing: Promise<unknown>): Promise<void> {
  await writing.catch((error: unknown) => services.log.error({ err: error }, 'an idempotency key could not be saved'))
}

function madeBefore(error: unknown): boolean {
  return error instanceof UniqueViolation && error.columns.join() === 'id'
}

function alreadyMade(): Problem {
  return new Problem('conflict', {
    message: 'This was already created, but the response was lost. Reload to see it.',
  })
}

async function begin(
  services: Services,
  { id, bodyHash, personId }: { id: string; bodyHash: string; personId: string },
): Promise<Answer | null> {
  const now = services.now().getTime()
  const taken = await services.db
    .insertInto('answered_creates')
    .values({ id, person_id: personId, body_hash: bodyHash, status: null, answer: null, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ created_at: now, body_hash: bodyHash })
        .where('answered_creates.status', 'is', null)
        .where('answered_creates.created_at', '<', now - patienceMs),
    )
    .returning('id')
    .executeTakeFirst()
  if (taken) return null
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
    .where('created_at', '<', services.now().getTime() - keptMs)
    .execute()
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
