import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { publishToReaders } from '#server/domains/readable-shares.ts'
import { badField, idTaken, Problem } from '#server/http/problem.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from './entries/publish-keeper-changed.ts'
import { createHistoryWrites } from './entries/record-history.ts'
import { createKeeperNotFound, type KeeperRow, requireKeeperFor } from './keeper-access.ts'
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
  if (!created) throw idTaken()
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
    const changes = await createChanges(services, person, row, input)
    if (ifMatch !== null && ifMatch !== row.rev) {
      const clientVersion = await toKeeper(services, { ...row, ...changes, rev: ifMatch } as KeeperRow)
      throw new Problem('stale', { data: { yours: clientVersion, current: await toKeeper(services, row) } })
    }
    if (Object.keys(changes).length === 0) return toKeeper(services, row)
    await services.usage.requireSpaceToGrow(
      row.owner_id,
      toKeeperFields(row),
      toKeeperFields({ ...row, ...changes } as KeeperRow),
    )
    const now = services.now().getTime()
    const historyWrites = await createHistoryWrites(services, {
      entity: 'keeper',
      row,
      keeperId: row.id,
      ifMatch,
      now,
      snapshot: () => toKeeperFields(row),
      after: () => toKeeperFields({ ...row, ...changes } as KeeperRow),
    })
    await services.db.batch([
      requireChanges(
        services.db
          .updateTable('keepers')
          .set({ ...changes, updated_at: now, rev: row.rev + 1 })
          .where('id', '=', row.id)
          .where('owner_id', '=', person.id)
          .where('rev', '=', row.rev)
          .where('deleted_at', 'is', null),
      ),
      ...historyWrites,
    ])
    publishKeeperChanged(services, person.id, row.id, 'keeper')
    return toKeeper(services, { ...row, ...changes, updated_at: now, rev: row.rev + 1 } as KeeperRow)
  })
}

async function createChanges(
  services: Services,
  person: Pick<Person, 'id'>,
  row: KeeperRow,
  input: KeeperChanges,
): Promise<Updateable<Schema['keepers']>> {
  const fields = {
    ...input,
    keeperType: input.keeperType || undefined,
    keeperTypeId: input.keeperTypeId === '' ? null : input.keeperTypeId,
  }
  const changes: Updateable<Schema['keepers']> = {}
  if (fields.title !== undefined) changes.title = fields.title
  if (fields.purpose !== undefined) changes.purpose = fields.purpose
  if (fields.memoryPattern) changes.memory_pattern = fields.memoryPattern
  if (fields.theme !== undefined) changes.theme = fields.theme
  if (fields.isPublic !== undefined) changes.is_public = fields.isPublic
  if (fields.keeperType !== undefined) changes.keeper_type = fields.keeperType
  // An unchanged type stays, even when its maker no longer shares a domain with this person.
  const hasOtherTypeId = fields.keeperTypeId !== undefined && fields.keeperTypeId !== row.keeper_type_id
  const hasOnlyTypeText = fields.keeperTypeId === undefined && fields.keeperType !== undefined
  if (hasOtherTypeId || (hasOnlyTypeText && fields.keeperType !== row.keeper_type)) {
    const type = await resolveKeeperType(services, person, fields)
    changes.keeper_type_id = type?.id ?? null
    if (fields.keeperType === undefined && type) changes.keeper_type = type.slug
  }
  return changes
}

/** Moves a keeper to the trash for 30 days; its entries stay unchanged but hidden. @throws Problem 404 */
export async function trashKeeper(services: Services, person: Pick<Person, 'id'>, id: string): Promise<void> {
  const keeper = await requireKeeperFor(services, person, id)
  const { numUpdatedRows } = await services.db
    .updateTable('keepers')
    .set({ deleted_at: services.now().getTime() })
    .where('id', '=', keeper.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw createKeeperNotFound()
  publishKeeperChanged(services, person.id, keeper.id, 'keeper')
  await publishToReaders(services, 'keeper', keeper.id)
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
