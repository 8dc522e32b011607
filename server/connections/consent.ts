import type { ConnectedProgram, Person } from '#server/accounts/person.ts'
import { getMemoryLimits, type PromptItem } from '#server/agents/keeper-memory.ts'
import { getPersonTimezone } from '#server/keepers/person-timezone.ts'
import {
  createMemoryReadInserts,
  type ReadableKeeper,
  selectKeepersInLimits,
} from '#server/keepers/prompt/readable-keepers.ts'
import type { Services } from '#server/services.ts'

export type ConnectedPerson = Person & { connection: ConnectedProgram }

const maxKeepers = 100

/** The keepers that the person lets this program use, oldest first; with `asOf`, as they were at the end of that day. */
export async function listConsentedKeepers(
  services: Services,
  person: ConnectedPerson,
  asOf: string | null = null,
): Promise<ReadableKeeper[]> {
  const limits = getMemoryLimits({ person, asOf })
  const rows = await selectKeepersInLimits(services, person.id, limits).limit(maxKeepers).execute()
  const zone = await getPersonTimezone(services, person.id)
  return rows.map((keeper) => ({ ...keeper, zone, limits }))
}

/** Writes a receipt for each item that the program is given. */
export async function recordMemoryReads(
  services: Services,
  person: ConnectedPerson,
  purpose: string,
  items: readonly PromptItem[],
): Promise<void> {
  if (items.length === 0) return
  const reading = { person, runId: '', agent: { id: '', name: person.connection.name }, purpose }
  await services.db.batch(createMemoryReadInserts(services, reading, items))
}
