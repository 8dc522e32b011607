import type * as z from 'zod/mini'
import { maxThemes, type Theme, type themes } from '#contract/themes/themes.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { addSlugSuffix, insertWithSlug, toSlugBase } from '#server/insert-with-slug.ts'
import type { Services } from '#server/services.ts'
import { findSystemTheme } from './system-themes.ts'
import { requireEditableTheme, type ThemeRow, toTheme } from './visible-themes.ts'

type NewTheme = z.output<typeof themes.create.body & {}>
type ThemeChanges = z.output<typeof themes.update.body & {}>

const maxAttempts = 4

/** The slug is derived from the name, with a suffix if taken. @throws Problem 409 above the limit */
export async function createTheme(services: Services, person: Person, input: NewTheme): Promise<Theme> {
  const { db } = services
  const { count } = await db
    .selectFrom('themes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxThemes)
    throw new Problem('conflict', {
      message: `You’ve reached the limit of ${maxThemes} themes. Delete one first.`,
    })
  const base = toSlugBase(input.name) || 'theme'
  const requestedSlug = findSystemTheme(base) ? addSlugSuffix(services, base) : base
  const row = await insertWithSlug(services, requestedSlug, (names): Promise<ThemeRow> => {
    const now = services.now().getTime()
    return db
      .insertInto('themes')
      .values({
        ...names,
        owner_id: person.id,
        name: input.name,
        note: input.note ?? '',
        light: json(input.light),
        dark: json(input.dark),
        basis: input.basis ?? null,
        visibility: input.visibility ?? 'private',
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return toTheme(row, person)
}

/** The slug stays, since keepers refer to it. @throws Problem 404, 403; `stale` with `{yours, current}` */
export async function updateTheme(
  services: Services,
  person: Person,
  idOrSlug: string,
  input: ThemeChanges,
  ifMatch: number | null,
): Promise<Theme> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const row = await requireEditableTheme(services, person, idOrSlug)
    const updatedRow: ThemeRow = {
      ...row,
      name: input.name ?? row.name,
      note: input.note ?? row.note,
      visibility: input.visibility ?? row.visibility,
      light: input.light ?? row.light,
      dark: input.dark ?? row.dark,
      basis: input.basis === undefined ? row.basis : input.basis,
    }
    if (ifMatch !== null && ifMatch !== row.rev) {
      const sentTheme = toTheme({ ...updatedRow, rev: ifMatch }, person)
      throw new Problem('stale', { data: { yours: sentTheme, current: toTheme(row, person) } })
    }
    const saved = await services.db
      .updateTable('themes')
      .set({
        name: updatedRow.name,
        note: updatedRow.note,
        visibility: updatedRow.visibility,
        light: json(updatedRow.light),
        dark: json(updatedRow.dark),
        basis: updatedRow.basis,
        updated_at: services.now().getTime(),
        rev: row.rev + 1,
      })
      .where('id', '=', row.id)
      .where('rev', '=', row.rev)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (saved) return toTheme(saved, person)
    // Changed concurrently: read again, which reports `stale` to clients with `ifMatch`.
  }
  throw new Problem('conflict')
}
