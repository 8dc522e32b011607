import type { User } from '#contract/accounts/accounts.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
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
  const set = {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.nickname !== undefined && { nickname: changes.nickname || null }),
  }
  if (Object.keys(set).length > 0) {
    await services.db.updateTable('people').set(set).where('id', '=', person.id).execute()
    services.sessions.forgetPerson(person.id)
    services.live.publish(person.id, { type: 'session-changed' })
  }
  return services.db
    .selectFrom('people')
    .select(['id', 'name', 'nickname', 'email'])
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
}
