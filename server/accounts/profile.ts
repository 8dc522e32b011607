import type { User } from '#contract/accounts/accounts.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findTheme } from '#server/themes/theme-catalog.ts'
import type { Person } from './person.ts'

export async function updateProfile(
  services: Services,
  person: Person,
  userId: string,
  changes: { name?: string | undefined; nickname?: string | null | undefined },
): Promise<User> {
  if (userId !== person.id) throw new Problem('not-found', { message: 'User not found' })
  refuseLinkInName('name', changes.name, toDisplayLine(person.name ?? ''))
  refuseLinkInName('nickname', changes.nickname, toDisplayLine(person.nickname ?? ''))
  const columns = {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.nickname !== undefined && { nickname: changes.nickname || null }),
  }
  if (Object.keys(columns).length > 0) {
    await services.db.updateTable('people').set(columns).where('id', '=', person.id).execute()
    services.sessions.evictPerson(person.id)
    services.live.publish(person.id, { type: 'session-changed' })
  }
  return services.db
    .selectFrom('people')
    .select(['id', 'name', 'nickname', 'email'])
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
}

interface PersonalSettings {
  preferred_theme_id: string | null
}

/** A deleted or no longer public theme is returned as null. */
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
