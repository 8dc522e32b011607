import { type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import { normalizeColor } from '#contract/themes/normalize-color.ts'
import { shippedThemeSlugs, themeKeys } from '#contract/themes/theme-keys.ts'
import { maxThemes, type Theme, type themes } from '#contract/themes/themes.ts'
import tokens from '#contract/themes/tokens.json' with { type: 'json' }
import type { Person } from '#server/accounts/person.ts'
import { type CatalogKind, createEntryNotFound, requireOwnEntry, type Viewer } from '#server/catalog/catalog.ts'
import { createEntry } from '#server/catalog/save-entry.ts'
import { addSlugSuffix, toSlugBase } from '#server/db/insert-with-slug.ts'
import type { ThemeSchema } from '#server/db/theme-schema.ts'
import { readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

const defaultPageSize = 50

type ThemeRow = Selectable<ThemeSchema['themes']>

export const themeKind: CatalogKind<ThemeRow, Theme> = {
  table: 'themes',
  noun: 'theme',
  texts: {
    notFound: 'This theme doesn’t exist.',
    system: 'This theme comes with Keeper and can’t be changed. Create your own from it.',
    foreign: 'Only the person who created this theme can change it. Create your own from it.',
  },
  async find(services, person, idOrSlug) {
    if (findSystemTheme(idOrSlug)) throw new Problem('forbidden', { message: themeKind.texts.system })
    return findVisibleRow(services, person, idOrSlug)
  },
  toViews: async (_services, rows, person) => rows.map((row) => toTheme(row, person)),
}

/** System themes, then the person's own, then public ones (newest first); visitors get only system themes. @throws Problem 400 */
export async function listThemes(
  services: Services,
  person: Person | null,
  { cursor, limit = defaultPageSize }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ items: Theme[]; next_cursor: string | null }> {
  if (!person) return { items: systemThemes, next_cursor: null }
  const position = cursor === undefined ? undefined : parseTimeCursor(cursor)
  const publicThemes = services.db
    .selectFrom('themes')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('visibility', '=', 'public')
    .where('owner_id', '!=', person.id)
  const { rows, next_cursor } = await readPage(publicThemes, {
    order: [
      [sql.ref('updated_at'), 'desc'],
      [sql.ref('id'), 'desc'],
    ],
    after: position && [position.at, position.id],
    getPosition: ({ updated_at, id }) => [updated_at, id],
    formatCursor: ({ updated_at, id }) => formatTimeCursor(updated_at, id),
    pageSize: limit,
  })
  const firstPageThemes = cursor === undefined ? [...systemThemes, ...(await listOwnThemes(services, person))] : []
  return { items: [...firstPageThemes, ...rows.map((row) => toTheme(row, person))], next_cursor }
}

async function listOwnThemes({ db }: Services, person: Person): Promise<Theme[]> {
  const rows = await db
    .selectFrom('themes')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('owner_id', '=', person.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => toTheme(row, person))
}

export async function findTheme(
  services: Services,
  person: Person | null,
  idOrSlug: string,
): Promise<Theme | undefined> {
  const systemTheme = findSystemTheme(idOrSlug)
  if (systemTheme || !person) return systemTheme
  const row = await findVisibleRow(services, person, idOrSlug)
  return row && toTheme(row, person)
}

/** @throws Problem 409 above the limit */
export async function createTheme(
  services: Services,
  person: Person,
  { name, note = '', light, dark, basis = null, visibility = 'private' }: z.output<typeof themes.create.body & {}>,
): Promise<Theme> {
  const { count } = await services.db
    .selectFrom('themes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxThemes)
    throw new Problem('conflict', {
      message: `You’ve reached the limit of ${maxThemes} themes. Delete one first.`,
    })
  const slug = toSlugBase(name)
  return createEntry(services, person, themeKind, {
    slug: findSystemTheme(slug) ? addSlugSuffix(services, slug) : slug,
    columns: { name, note, light, dark, basis, visibility },
  })
}

function findVisibleRow({ db }: Services, person: Viewer, idOrSlug: string): Promise<ThemeRow | undefined> {
  return db
    .selectFrom('themes')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
    .where((where) => where.or([where('owner_id', '=', person.id), where('visibility', '=', 'public')]))
    .orderBy((order) => order.case().when('id', '=', idOrSlug).then(0).else(1).end())
    .executeTakeFirst()
}

function toTheme(
  { id, slug, name, note, light, dark, basis, visibility, rev, owner_id }: ThemeRow,
  person: Viewer,
): Theme {
  return { id, slug, name, note, light, dark, basis, system: false, mine: owner_id === person.id, visibility, rev }
}

const trashRetentionMs = dayMs

/** People who use the theme see the default one until it is restored. @throws Problem 404, 403 */
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

export const systemThemes: Theme[] = tokens.themes.map((theme) => ({
  id: theme.slug,
  slug: theme.slug,
  name: theme.name,
  note: theme.note,
  light: pickCoreKeys(theme.light),
  dark: pickCoreKeys(theme.dark),
  basis: shippedThemeSlugs.find((slug) => slug === theme.slug) ?? null,
  system: true,
  mine: false,
  visibility: 'public',
  rev: 1,
}))

function pickCoreKeys(colors: Record<string, unknown>): Theme['light'] {
  return Object.fromEntries(themeKeys.map((key) => [key, normalizeColor(String(colors[key]))])) as Theme['light']
}

function findSystemTheme(slug: string): Theme | undefined {
  return systemThemes.find((theme) => theme.slug === slug)
}
