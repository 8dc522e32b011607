import type * as z from 'zod/mini'
import { memoryChecks } from '#contract/keepers/memory-checks.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { requireReviewable } from '../sole/sole-access.ts'
import { showMemoryCheck, startMemoryCheck, stopMemoryCheck } from './memory-check.ts'
import { findPendingSole, type PendingMemory, toPendingCard, toPendingReflection } from './pending-memory.ts'

export function memoryCheckRoutes(services: Services): ServedCall[] {
  return serveArea('memoryChecks', memoryChecks, {
    start: async ({ person, params, body }) => {
      const memory = await requirePending(services, person, params.id, body)
      return (await startMemoryCheck(services, person, memory)).check
    },
    show: ({ person, params }) => showMemoryCheck(services, person, params.id),
    stop: ({ person, params }) => stopMemoryCheck(services, person, params.id),
  })
}

type CheckRequest = z.output<typeof memoryChecks.start.body & {}>

/** @throws Problem 404 for an entry of another keeper, or one this person cannot approve */
async function requirePending(
  services: Services,
  person: Person,
  keeperId: string,
  { entity, entityId, statementIds }: CheckRequest,
): Promise<PendingMemory | null> {
  if (entity === 'sole')
    return findPendingSole(services, person, await requireReviewable(services, person, keeperId), statementIds)
  if (entityId === undefined) throw badField('entityId', 'Send the ID of the card or reflection.')
  const memory =
    entity === 'card'
      ? await toPendingCard(services, person, await requireEntryFor(services, person, 'card', entityId))
      : await toPendingReflection(services, person, await requireEntryFor(services, person, 'reflection', entityId))
  if (memory && memory.keeperId !== keeperId) throw new Problem('not-found', { message: 'Keeper not found' })
  return memory
}
