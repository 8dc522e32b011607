import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { buildKeeperTypeTransfers, listNeededTypes, listTypeTemplates } from './transfer-keeper-types.ts'
import { buildPatternTransfers } from './transfer-patterns.ts'
import { buildTemplateTransfers } from './transfer-templates.ts'

export async function buildTransferWrites(services: Services, personId: string): Promise<Write[]> {
  const types = await listNeededTypes(services, personId)
  const { writes, copies } = await buildTemplateTransfers(services, personId, listTypeTemplates(types))
  return [
    ...writes,
    ...buildKeeperTypeTransfers(services, types, copies),
    ...(await buildPatternTransfers(services, personId)),
  ]
}
