import type { Theme } from '#contract/themes/themes.ts'
import type { Person } from '#server/accounts/person.ts'
import { createEntryNotFound, requireOwnEntry } from '#server/catalog/catalog.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { themeKind, toTheme } from './theme-catalog.ts'

const trashRetentionMs = dayMs

/** People who chose it see the default until it is restored. @throws Problem 404, 403 */
export async function removeTheme(
  services: Services,
  person: Person,
  idOrSlug: string,
): Promise<Record<string, never>> {
  const row = await requireOwnEntry(services, person, themeKind, idOrSlug)
  await services.db
    .updateTable('themes')
    .set({ deleted_at: services.now().getTime() })
    .where('id', '=', row.id)
    .where('deleted_at', 'is', null)
    .execute()
  return {}
}

/** @throws Problem 404 unless it was deleted within the last day */
export async function restoreTheme(services: Services, person: Person, id: string): Promise<Theme> {
  const row = await services.db
    .updateTable('themes')
    .set({ deleted_at: null })
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', '>', services.now().getTime() - trashRetentionMs)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw createEntryNotFound(themeKind)
  return toTheme(row, person)
}

export async function sweepThemes({ db, now }: Services): Promise<void> {
  const expiredIds = db
    .selectFrom('themes')
    .select('id')
    .where('deleted_at', '<=', now().getTime() - trashRetentionMs)
  await db.batch([
    db.updateTable('people').set({ preferred_theme_id: null }).where('preferred_theme_id', 'in', expiredIds),
    db.deleteFrom('themes').where('id', 'in', expiredIds),
  ])
}
