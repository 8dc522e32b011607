import { sql } from 'kysely'
import type { PlatformUser, PlatformUserDetails } from '#contract/administration/administration.ts'
import { fetchPasskeys } from '#server/accounts/passkeys/passkeys.ts'
import type { Person } from '#server/accounts/person.ts'
import { isSecondFactorEnabled } from '#server/accounts/second-factor/second-factor.ts'
import { listSessions } from '#server/accounts/sessions.ts'
import { iterateAuditPages } from '#server/audit/read-audit.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import type { Schema } from '#server/db/schema.ts'
import { listDomains } from '#server/domains/list-domains.ts'
import { readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import { streamFile } from '#server/http/stream-file.ts'
import { getNewestFirstPage } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { toOpenJsonObject } from '#server/values/open-json-object.ts'
import { dayMs } from '#server/values/time-units.ts'
import { canActOn } from './account-actions.ts'
import { createAccountNotFoundProblem, getRolesByPerson, isLastSuperAdmin, matchNameOrEmail } from './roles.ts'

const maxPageSize = 1000

interface ListUsersInput {
  search?: string | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

/** Newest first, with the `total` of the search and `next_cursor`. @throws Problem 400 for an invalid cursor */
export async function listUsers(services: Services, input: ListUsersInput): Promise<Reply<PlatformUser[]>> {
  let people = services.db.selectFrom('people')
  if (input.search) people = people.where(matchNameOrEmail(services.db.engine, input.search))
  const { rows, next_cursor } = await readPage<Schema, 'people', UserRow>(people.select(userColumns), {
    ...getNewestFirstPage('people', input.cursor),
    pageSize: input.limit ?? maxPageSize,
    read: (page) => services.db.longRead(page),
  })
  const [totalRow] = await services.db.longRead(people.select((select) => select.fn.countAll<number>().as('total')))
  const roles = await getRolesByPerson(
    services,
    rows.map(({ id }) => id),
  )
  return new Reply(
    rows.map((row) => toPlatformUser(row, roles.get(row.id) ?? [])),
    { extra: { total: Number(totalRow?.total ?? 0), next_cursor } },
  )
}

const userColumns = [
  'people.id',
  'people.name',
  'people.email',
  'people.created_at',
  'people.last_sign_in_at',
  'people.deactivated_at',
] as const

interface UserRow {
  id: string
  name: string | null
  email: string
  created_at: number
  last_sign_in_at: number | null
  deactivated_at: number | null
}

function toPlatformUser(row: UserRow, platformRoles: PlatformUser['platformRoles']): PlatformUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    platformRoles,
    createdAt: new Date(row.created_at).toISOString(),
    lastLoginAt: toIsoTimeOrNull(row.last_sign_in_at),
    deactivatedAt: toIsoTimeOrNull(row.deactivated_at),
  }
}

const runDays = 30

/** Details and counts of an account, without any content. @throws Problem 404 */
export async function showUser(services: Services, person: Person, id: string): Promise<PlatformUserDetails> {
  const { db } = services
  const row = await db
    .selectFrom('people')
    .select([...userColumns, 'people.nickname', 'people.deletes_at'])
    .where('people.id', '=', id)
    .executeTakeFirst()
  if (!row) throw createAccountNotFoundProblem()
  const roles = (await getRolesByPerson(services, [id])).get(id) ?? []
  const keys = await db
    .selectFrom('provider_keys')
    .select(['provider', 'masked'])
    .where('owner', '=', id)
    .orderBy('provider')
    .execute()
  const domains = await listDomains(services, row)
  return {
    ...toPlatformUser(row, roles),
    nickname: row.nickname,
    deletesAt: toIsoTimeOrNull(row.deletes_at),
    domains: domains.flatMap(({ id, name, slug, permissions: [permission] }) =>
      permission ? [{ id, name, slug, role: permission.role }] : [],
    ),
    counts: { ...(await countOwnedItems(services, id)), domains: domains.length },
    sessions: await listSessions(services, id, person.sessionId),
    keys,
    mayAct: canActOn(person, { id, roles }),
    lastSuperAdmin: await isLastSuperAdmin(services, id),
    hasSecondFactor: await isSecondFactorEnabled(services, id),
    passkeys: (await fetchPasskeys(services, id)).length,
  }
}

/** Counts untrashed items, and runs and errors of the last 30 days. */
async function countOwnedItems(services: Services, id: string) {
  const { db, now } = services
  const since = now().getTime() - runDays * dayMs
  const [row] = await db.longRead<Record<'boards' | 'runs' | 'errors', number | string>>(sql`select
    (select count(*) from boards where owner_id = ${id} and deleted_at is null) as boards,
    (select count(*) from runs where person_id = ${id} and created_at >= ${since}) as runs,
    (select count(*) from runs where person_id = ${id} and created_at >= ${since} and status = 'error') as errors`)
  return {
    ...(await countKeepersAndAgents(services, id)),
    boards: Number(row?.boards),
    runs: Number(row?.runs),
    errors: Number(row?.errors),
  }
}

/** Keepers in the trash don't count. */
export async function countKeepersAndAgents(
  { db }: Services,
  id: string,
): Promise<{ keepers: number; agents: number }> {
  const { keepers, agents } = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('keepers')
        .select(fn.countAll<number>().as('count'))
        .where('owner_id', '=', id)
        .where('deleted_at', 'is', null)
        .as('keepers'),
      selectFrom('agents').select(fn.countAll<number>().as('count')).where('owner_id', '=', id).as('agents'),
    ])
    .executeTakeFirstOrThrow()
  return { keepers: Number(keepers), agents: Number(agents) }
}

/** The account as a JSON file: details and all audit events, streamed page by page. @throws Problem 404 */
export async function exportUser(services: Services, person: Person, id: string): Promise<Response> {
  const { mayAct: _, lastSuperAdmin: __, ...account } = await showUser(services, person, id)
  await services.db.batch([insertAudit(services, { action: 'account-exported', actor: person, personId: id })])
  const exportedAt = services.now().toISOString()
  const head = { format: 'keeper-account', version: 1, exportedAt, account }
  return streamFile(
    `keeper-account-${id}-${exportedAt.slice(0, 10)}.json`,
    'application/json; charset=utf-8',
    streamExport(services, id, head),
  )
}

async function* streamExport(services: Services, userId: string, head: object): AsyncGenerator<string> {
  yield `${toOpenJsonObject(head)},\n  "audit": [`
  let separator = '\n'
  for await (const events of iterateAuditPages(services, { userId })) {
    yield events.map((event, index) => (index === 0 ? separator : ',\n') + JSON.stringify(event)).join('')
    separator = ',\n'
  }
  yield '\n]\n}\n'
}
