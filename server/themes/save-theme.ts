import type * as z from 'zod/mini'
import { mostThemes, type Theme, type themes } from '#contract/themes/themes.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { insertUnderSlug, slugBase, slugBehind } from '#server/insert-under-slug.ts'
import type { Services } from '#server/services.ts'
import { shippedTheme } from './shipped-themes.ts'
import { requireOwnTheme, type ThemeRow, themeView } from './visible-themes.ts'

type NewTheme = z.output<typeof themes.create.body & {}>
type ThemeChanges = z.output<typeof themes.update.body & {}>

const tries = 4

/** The slug is derived from the name, with a suffix if taken. @throws Problem 409 above the limit */
export async function createTheme(services: Services, person: Person, given: NewTheme): Promise<Theme> {
  const { db } = services
  const { count } = await db
    .selectFrom('themes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostThemes)
    throw new Problem('conflict', {
      message: `You’ve reached the limit of ${mostThemes} themes. Delete one first.`,
    })
  const base = slugBase(given.name) || 'theme'
  const wanted = shippedTheme(base) ? slugBehind(services, base) : base
  const row = await insertUnderSlug(services, wanted, (names): Promise<ThemeRow> => {
    const now = services.now().getTime()
    return db
      .insertInto('themes')
      .values({
        ...names,
        owner_id: person.id,
        name: given.name,
        note: given.note ?? '',
        light: json(given.light),
        dark: json(given.dark),
        basis: given.basis ?? null,
        visibility: given.visibility ?? 'private',
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return themeView(row, person)
}

/** The slug stays, since keepers refer to it. @throws Problem 404, 403; `stale` with `{yours, current}` */
export async function updateTheme(
  services: Services,
  person: Person,
  idOrSlug: string,
  given: ThemeChanges,
  ifMatch: number | null,
): Promise<Theme> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const row = await requireOwnTheme(services, person, idOrSlug)
    const after: ThemeRow = {
      ...row,
      name: given.name ?? row.name,
      note: given.note ?? row.note,
      visibility: given.visibility ?? row.visibility,
      light: given.light ?? row.light,
      dark: given.dark ?? row.dark,
      basis: given.basis === undefined ? row.basis : given.basis,
    }
    if (ifMatch !== null && ifMatch !== row.rev) {
      const yours = themeView({ ...after, rev: ifMatch }, person)
      throw new Problem('stale', { data: { yours, current: themeView(row, person) } })
    }
    const saved = await services.db
      .updateTable('themes')
      .set({
        name: after.name,
        note: after.note,
        visibility: after.visibility,
        light: json(after.light),
        dark: json(after.dark),
        basis: after.basis,
        updated_at: services.now().getTime(),
        rev: row.rev + 1,
      })
      .where('id', '=', row.id)
      .where('rev', '=', row.rev)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (saved) return themeView(saved, person)
    // Changed concurrently: read again, which reports `stale` to clients with `ifMatch`.
  }
  throw new Problem('conflict')
}
