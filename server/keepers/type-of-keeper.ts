import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type KeeperTypeRow, visibleKeeperTypes } from './types/visible-keeper-types.ts'

interface SaidType {
  keeperType?: string | undefined
  keeperTypeId?: string | null | undefined
}

/**
 * The keeper type somebody means: by its id, or by a word that is the slug of one (`journal`). `null`: a word of their own.
 * @throws Problem 400 for an id that is not that of a type they may use
 */
export async function typeOfKeeper(
  services: Services,
  person: Pick<Person, 'id'>,
  { keeperType, keeperTypeId }: SaidType,
): Promise<KeeperTypeRow | null> {
  if (keeperTypeId === null || (keeperTypeId === undefined && keeperType === undefined)) return null
  const visible = visibleKeeperTypes(services, person)
  const row = await (keeperTypeId === undefined
    ? visible.where('keeper_types.slug', '=', (keeperType ?? '').toLowerCase())
    : visible.where('keeper_types.id', '=', keeperTypeId)
  ).executeTakeFirst()
  if (!row && keeperTypeId !== undefined)
    throw badField('keeperTypeId', 'This keeper type is not there. Choose another one.')
  return row ?? null
}
