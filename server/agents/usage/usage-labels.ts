import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'

const labelBatchSize = 500

export const callsWithoutAgent: Record<string, string> = {
  embeddings: 'Embedding memory cards',
  transcription: 'Transcribing voice entries',
}

/** Current names of the person's own agents. Other agents keep the name they ran under, because their current name may be private. */
export async function fetchAgentLabels(
  services: Services,
  person: Person,
  ids: string[],
): Promise<Map<string, string>> {
  const labels = new Map<string, string>()
  for (const batch of splitIntoBatches(ids)) {
    const rows = await services.db
      .selectFrom('agents')
      .select(['id', 'name'])
      .where('id', 'in', batch)
      .where('owner_id', '=', person.id)
      .execute()
    for (const { id, name } of rows) labels.set(id, name)
  }
  return labels
}

export async function createPersonLabeler(
  services: Services,
  person: Person,
  scope: 'mine' | 'agents' | 'platform',
  ids: string[],
): Promise<(id: string) => string> {
  const canSeeNames =
    scope !== 'platform' || person.permissions.has('manage_users') || person.permissions.has('view_logs')
  const names = new Map<string, string | null>()
  for (const batch of splitIntoBatches(canSeeNames ? ids : ids.filter((id) => id === person.id))) {
    const rows = await services.db.selectFrom('people').select(['id', 'name']).where('id', 'in', batch).execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  return (id) => (id === 'visitors' ? 'Visitors' : (names.get(id) ?? `Person ${id.slice(-6)}`))
}

function splitIntoBatches(ids: string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / labelBatchSize) }, (_, index) =>
    ids.slice(index * labelBatchSize, (index + 1) * labelBatchSize),
  )
}
