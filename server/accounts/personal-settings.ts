import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findTheme } from '#server/themes/theme-catalog.ts'
import type { Person } from './person.ts'

interface PersonalSettings {
  preferred_theme_id: string | null
}

/** A theme that is deleted or no longer public reads as no choice. */
export async function getPersonalSettings(services: Services, person: Person): Promise<PersonalSettings> {
  const { preferred_theme_id: themeId } = await services.db
    .selectFrom('people')
    .select('preferred_theme_id')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const theme = themeId === null ? undefined : await findTheme(services, person, themeId)
  return { preferred_theme_id: theme?.id ?? null }
}

export async function updatePersonalSettings(
  services: Services,
  person: Person,
  changes: { preferred_theme_id?: string | null | undefined },
): Promise<PersonalSettings> {
  const themeId = changes.preferred_theme_id
  if (themeId !== undefined) {
    const theme = themeId === null ? null : await findTheme(services, person, themeId)
    if (theme === undefined) throw badField('preferred_theme_id', 'This theme doesn’t exist.')
    await services.db
      .updateTable('people')
      .set({ preferred_theme_id: theme?.id ?? null })
      .where('id', '=', person.id)
      .execute()
  }
  return getPersonalSettings(services, person)
}
