import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type KeeperTypeRow, queryVisibleKeeperTypes } from './types/type-catalog.ts'

interface KeeperTypeInput {
  keeperType?: string | undefined
  keeperTypeId?: string | null | undefined
}

/** Finds the type by id or slug; `null` for free text. @throws Problem 400 for an id the person cannot use */
export async function resolveKeeperType(
  services: Services,
  person: Pick<Person, 'id'>,
  { keeperType, keeperTypeId }: KeeperTypeInput,
): Promise<KeeperTypeRow | null> {
  if (keeperTypeId === null || (keeperTypeId === undefined && keeperType === undefined)) return null
  const visibleTypes = queryVisibleKeeperTypes(services, person)
  const row = await (keeperTypeId === undefined
    ? visibleTypes.where('keeper_types.slug', '=', (keeperType ?? '').toLowerCase())
    : visibleTypes.where('keeper_types.id', '=', keeperTypeId)
  ).executeTakeFirst()
  if (!row && keeperTypeId !== undefined)
    throw badField('keeperTypeId', 'This keeper type doesn’t exist. Choose another one.')
  return row ?? null
}
