import { type Selectable, sql } from 'kysely'
import type { Theme } from '#contract/themes/themes.ts'
import type { Person } from '#server/accounts/person.ts'
import type { ThemeSchema } from '#server/db/theme-schema.ts'
import { Problem } from '#server/http/problem.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { findSystemTheme, systemThemes } from './system-themes.ts'

export type ThemeRow = Selectable<ThemeSchema['themes']>

/** System themes, then the person's own, then public ones (newest first); visitors get only system themes. @throws Problem 400 */
export async function listThemes(
  services: Services,
  person: Person | null,
  { cursor, limit = 50 }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ items: Theme[]; next_cursor: string | null }> {
  if (!person) return { items: systemThemes, next_cursor: null }
  const { db } = services
  let publicThemes = db
    .selectFrom('themes')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('visibility', '=', 'public')
    .where('owner_id', '!=', person.id)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const { at, id } = parseTimeCursor(cursor)
    publicThemes = publicThemes.where(sql<boolean>`(updated_at, id) < (${at}, ${id})`)
  }
  const rows = await publicThemes.execute()
  const visibleRows = rows.slice(0, limit)
  const last = rows.length > limit ? visibleRows.at(-1) : undefined
  const firstPageThemes = cursor === undefined ? [...systemThemes, ...(await listOwnThemes(services, person))] : []
  return {
    items: [...firstPageThemes, ...visibleRows.map((row) => toTheme(row, person))],
    next_cursor: last ? formatTimeCursor(last.updated_at, last.id) : null,
  }
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

/** @throws Problem 404 if the theme isn't visible; 403 for a system theme or someone else's */
export async function requireEditableTheme(services: Services, person: Person, idOrSlug: string): Promise<ThemeRow> {
  if (findSystemTheme(idOrSlug))
    throw new Problem('forbidden', {
      message: 'This theme comes with Keeper and can’t be changed. Create your own from it.',
    })
  const row = await findVisibleRow(services, person, idOrSlug)
  if (!row) throw themeNotFound()
  if (row.owner_id !== person.id)
    throw new Problem('forbidden', {
      message: 'Only the person who created this theme can change it. Create your own from it.',
    })
  return row
}

export function themeNotFound(): Problem {
  return new Problem('not-found', { message: 'This theme doesn’t exist.' })
}

function findVisibleRow({ db }: Services, person: Person, idOrSlug: string): Promise<ThemeRow | undefined> {
  return db
    .selectFrom('themes')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
    .where((where) => where.or([where('owner_id', '=', person.id), where('visibility', '=', 'public')]))
    .orderBy((order) => order.case().when('id', '=', idOrSlug).then(0).else(1).end())
    .executeTakeFirst()
}

export function toTheme(
  { id, slug, name, note, light, dark, basis, visibility, rev, owner_id }: ThemeRow,
  person: Person,
) {
  return { id, slug, name, note, light, dark, basis, system: false, mine: owner_id === person.id, visibility, rev }
}
