import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, createIdTakenProblem, Problem } from '#server/http/problem.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from './entries/publish-keeper-changed.ts'
import { omitUndefined, saveRow } from './entries/save-entry.ts'
import { trashRow } from './entries/trash-entry.ts'
import { type KeeperRow, requireKeeperFor } from './keeper-access.ts'
import { toKeeper, toKeeperFields } from './keeper-view.ts'
import { type KeeperTypeRow, queryVisibleKeeperTypes } from './types/type-catalog.ts'

type NewKeeper = z.output<typeof keepers.create.body & {}>

/** Idempotent by id. @throws Problem 400 for an unknown type; 409 for an id in use */
export async function createKeeper(services: Services, person: Pick<Person, 'id'>, input: NewKeeper): Promise<Keeper> {
  const { db } = services
  const keeperTypeId = input.keeperTypeId === '' ? undefined : input.keeperTypeId
  const typeText = input.keeperType || (keeperTypeId ? undefined : 'custom')
  const type = await resolveKeeperType(services, person, { keeperType: typeText, keeperTypeId })
  const now = services.now().getTime()
  const id = input.id ?? services.newId()
  try {
    await db
      .insertInto('keepers')
      .values({
        id,
        owner_id: person.id,
        title: input.title,
        purpose: input.purpose,
        keeper_type: typeText ?? type?.slug ?? 'custom',
        keeper_type_id: type?.id ?? null,
        memory_pattern: input.memoryPattern || type?.memory_pattern || 'SOLE',
        theme: input.theme ?? 'keeper-classic',
        is_public: input.isPublic ?? false,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .execute()
    publishKeeperChanged(services, person.id, id, 'keeper')
  } catch (error) {
    if (!(error instanceof UniqueViolation) || input.id === undefined) throw error
  }
  const created = await db
    .selectFrom('keepers')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (!created) throw createIdTakenProblem()
  return toKeeper(services, created)
}

type KeeperChanges = z.output<typeof keepers.update.body & {}>

/** Without `ifMatch` the last write wins. @throws Problem 404; 400 for an unknown type; `stale` */
export async function updateKeeper(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  input: KeeperChanges,
  ifMatch: number | null,
): Promise<Keeper> {
  return retryChanges(async () => {
    const row = await requireKeeperFor(services, person, id)
    const changes = omitUndefined(await createChanges(services, person, row, input))
    if (ifMatch !== null && ifMatch !== row.rev) {
      const clientVersion = await toKeeper(services, { ...row, ...changes, rev: ifMatch } as KeeperRow)
      throw new Problem('stale', { data: { yours: clientVersion, current: await toKeeper(services, row) } })
    }
    if (Object.keys(changes).length === 0) return toKeeper(services, row)
    const update = { entity: 'keeper', keeperId: row.id, ifMatch, changes, toView: toKeeperFields } as const
    return toKeeper(services, await saveRow(services, row, update))
  })
}

async function createChanges(
  services: Services,
  person: Pick<Person, 'id'>,
  row: KeeperRow,
  input: KeeperChanges,
): Promise<Updateable<Schema['keepers']>> {
  const { title, purpose, theme } = input
  const keeperType = input.keeperType || undefined
  const keeperTypeId = input.keeperTypeId === '' ? null : input.keeperTypeId
  // An unchanged type stays, even when its creator no longer shares a domain with this person.
  const hasOtherTypeId = keeperTypeId !== undefined && keeperTypeId !== row.keeper_type_id
  const hasOtherTypeText = keeperTypeId === undefined && keeperType !== undefined && keeperType !== row.keeper_type
  const type =
    hasOtherTypeId || hasOtherTypeText
      ? await resolveKeeperType(services, person, { keeperType, keeperTypeId })
      : undefined
  return {
    title,
    purpose,
    theme,
    memory_pattern: input.memoryPattern || undefined,
    is_public: input.isPublic,
    keeper_type: keeperType ?? type?.slug,
    keeper_type_id: type === undefined ? undefined : (type?.id ?? null),
  }
}

/** Moves a keeper to the trash for 30 days; its entries stay unchanged but hidden. @throws Problem 404 */
export async function trashKeeper(services: Services, person: Pick<Person, 'id'>, id: string): Promise<void> {
  const keeper = await requireKeeperFor(services, person, id)
  await trashRow(services, 'keeper', keeper, keeper.id)
}

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
