import { type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import {
  type Connection,
  type connections,
  defaultTokenDays,
  maxConnections,
} from '#contract/connections/connections.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { json } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { selectOwnKeepers } from '#server/keepers/keeper-access.ts'
import type { Services } from '#server/services.ts'
import { toDollars, toMicros } from '#server/values/dollars.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { dayMs } from '#server/values/time-units.ts'
import { newPersonalToken } from './authenticate-connection.ts'

type Owner = Pick<Person, 'id'>
export type ConnectionRow = Selectable<Schema['connections']>
type NewToken = z.output<NonNullable<typeof connections.createToken.body>>
type ConnectionChanges = z.output<NonNullable<typeof connections.update.body>>

const maxListedConnections = 200
const revokedTokenRetentionMs = 30 * dayMs

export async function listConnections({ db }: Services, person: Owner): Promise<Connection[]> {
  const rows = await db
    .selectFrom('connections')
    .selectAll('connections')
    .select((select) =>
      select
        .selectFrom('connection_tokens')
        .select('hint')
        .whereRef('connection_tokens.connection_id', '=', 'connections.id')
        .where('connection_tokens.kind', '=', 'personal')
        .limit(1)
        .as('hint'),
    )
    .where('owner_id', '=', person.id)
    .orderBy(sql`case when revoked_at is null then 0 else 1 end`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxListedConnections)
    .execute()
  return rows.map((row) => toConnectionView(row, row.hint))
}

/** @throws Problem 400 for another person's keeper; 422 above the limit */
export async function createPersonalToken(
  services: Services,
  person: Owner,
  input: NewToken,
): Promise<{ connection: Connection; token: string }> {
  await requireConnectionSlot(services, person)
  const { token, hash } = newPersonalToken()
  const now = services.now().getTime()
  const days = input.expiresInDays === undefined ? defaultTokenDays : input.expiresInDays
  const defaultEnd = days === null ? null : now + days * dayMs
  const row = await buildConnection(services, person, {
    name: input.name,
    scopes: [...new Set(input.scopes)],
    keeperIds: input.keeperIds ?? null,
    topics: input.topics ?? null,
    withoutMoods: input.withoutMoods ?? false,
    purpose: input.purpose ?? '',
    monthlyBudgetUsd: input.monthlyBudgetUsd ?? null,
    createdAt: now,
    expiresAt: input.expiresAt === undefined ? defaultEnd : parseFutureTime(services, input.expiresAt),
  })
  const hint = token.slice(-4)
  await services.db.batch([
    services.db.insertInto('connections').values(toConnectionColumns(row)),
    services.db.insertInto('connection_tokens').values({
      token_hash: hash,
      connection_id: row.id,
      kind: 'personal',
      hint,
      resource: null,
      created_at: now,
      expires_at: null,
      replaced_at: null,
    }),
    insertAudit(services, { action: 'connection-created', actor: person, personId: person.id, subject: 'token' }),
  ])
  services.live.publish(person.id, { type: 'account-changed' })
  return { connection: toConnectionView(row, hint), token }
}

interface ConnectionInput {
  name: string
  scopes: ConnectionRow['scopes']
  keeperIds: string[] | null
  topics: string[] | null
  withoutMoods: boolean
  purpose: string
  monthlyBudgetUsd: number | null
  createdAt: number
  expiresAt: number | null
  clientId?: string
  host?: string
}

/** @throws Problem 400 for a keeper the person doesn't have */
export async function buildConnection(
  services: Services,
  person: Owner,
  input: ConnectionInput,
): Promise<ConnectionRow> {
  await requireOwnKeepers(services, person, input.keeperIds)
  return {
    id: services.newId(),
    owner_id: person.id,
    name: input.name,
    client_id: input.clientId ?? null,
    host: input.host ?? null,
    scopes: input.scopes,
    keeper_ids: input.keeperIds,
    topics: input.topics,
    without_moods: input.withoutMoods,
    purpose: input.purpose,
    monthly_limit_micros: toLimitMicros(input.monthlyBudgetUsd),
    created_at: input.createdAt,
    expires_at: input.expiresAt,
    last_used_at: null,
    revoked_at: null,
  }
}

/** @throws Problem 400 for a time that has passed */
export function parseFutureTime(services: Pick<Services, 'now'>, expiresAt: string | null): number | null {
  if (expiresAt === null) return null
  const time = Date.parse(expiresAt)
  if (time <= services.now().getTime()) throw badField('expiresAt', 'Choose a day that hasn’t passed.')
  return time
}

const toLimitMicros = (dollars: number | null) => (dollars === null ? null : toMicros(dollars))

export const toConnectionColumns = (row: ConnectionRow) => ({
  ...row,
  scopes: json(row.scopes),
  keeper_ids: row.keeper_ids && json(row.keeper_ids),
  topics: row.topics && json(row.topics),
})

/** @throws Problem 404; 400 for another person's keeper; 409 for access that was revoked */
export async function updateConnection(
  services: Services,
  person: Owner,
  id: string,
  { keeperIds, topics, withoutMoods, expiresAt, name, purpose, monthlyBudgetUsd }: ConnectionChanges,
): Promise<Connection> {
  const row = await requireConnection(services, person, id)
  if (row.revoked_at !== null)
    throw new Problem('conflict', { message: 'This access was revoked. Connect the program again.' })
  if (keeperIds !== undefined) await requireOwnKeepers(services, person, keeperIds)
  const updated: ConnectionRow = {
    ...row,
    ...(name !== undefined && { name }),
    ...(purpose !== undefined && { purpose }),
    ...(monthlyBudgetUsd !== undefined && { monthly_limit_micros: toLimitMicros(monthlyBudgetUsd) }),
    ...(keeperIds !== undefined && { keeper_ids: keeperIds }),
    ...(topics !== undefined && { topics }),
    ...(withoutMoods !== undefined && { without_moods: withoutMoods }),
    ...(expiresAt !== undefined && { expires_at: expiresAt === null ? null : Date.parse(expiresAt) }),
  }
  const { id: _, owner_id: __, ...columns } = toConnectionColumns(updated)
  await services.db.batch([
    services.db.updateTable('connections').set(columns).where('id', '=', id).where('owner_id', '=', person.id),
    insertAudit(services, { action: 'connection-changed', actor: person, personId: person.id }),
  ])
  forgetConnection(services, updated)
  return toConnectionView(updated, null)
}

/** Ends the access; receipts stay. @throws Problem 404 */
export async function revokeConnection(services: Services, person: Owner, id: string): Promise<Connection> {
  const row = await requireConnection(services, person, id)
  if (row.revoked_at !== null) return toConnectionView(row, null)
  return toConnectionView(await endAccess(services, row, person), null)
}

/** Ends the access when its program revokes it or uses a code or token twice. */
export async function endConnection(services: Services, id: string): Promise<void> {
  const row = await services.db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst()
  if (row && row.revoked_at === null) await endAccess(services, row, null)
}

async function endAccess(services: Services, row: ConnectionRow, actor: Owner | null): Promise<ConnectionRow> {
  const { db } = services
  const revokedRow = { ...row, revoked_at: services.now().getTime() }
  await db.batch([
    db.updateTable('connections').set({ revoked_at: revokedRow.revoked_at }).where('id', '=', row.id),
    // Kept for a while, so that the program learns why it is refused.
    db
      .updateTable('connection_tokens')
      .set({ expires_at: revokedRow.revoked_at + revokedTokenRetentionMs })
      .where('connection_id', '=', row.id),
    db.deleteFrom('oauth_codes').where('connection_id', '=', row.id),
    insertAudit(services, { action: 'connection-revoked', actor, personId: row.owner_id }),
  ])
  forgetConnection(services, revokedRow)
  return revokedRow
}

function forgetConnection(services: Services, { id, owner_id }: ConnectionRow): void {
  services.sessions.forgetSession(id)
  services.live.publish(owner_id, { type: 'session-ended' })
  services.live.publish(owner_id, { type: 'account-changed' })
}

/** @throws Problem 404 */
export async function requireConnection({ db }: Services, person: Owner, id: string): Promise<ConnectionRow> {
  const row = await db
    .selectFrom('connections')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Connected program not found' })
  return row
}

/** @throws Problem 422 above the limit */
export async function requireConnectionSlot({ db }: Services, person: Owner): Promise<void> {
  const { count } = await db
    .selectFrom('connections')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', person.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxConnections)
    throw new Problem('unprocessable', {
      message: `You have ${maxConnections} connected programs, the maximum. Revoke the access of one of them first.`,
    })
}

async function requireOwnKeepers({ db }: Services, person: Owner, ids: readonly string[] | null): Promise<void> {
  if (ids === null || ids.length === 0) return
  const rows = await selectOwnKeepers(db, person.id)
    .where('id', 'in', [...ids])
    .where('id', '!=', getSampleKeeperId(person.id))
    .execute()
  const ownIds = new Set(rows.map((keeper) => keeper.id))
  if (ids.some((id) => !ownIds.has(id))) throw badField('keeperIds', 'Choose your own keepers.')
}

export function toConnectionView(row: ConnectionRow, hint: string | null): Connection {
  return {
    id: row.id,
    name: toDisplayLine(row.name),
    kind: row.client_id === null ? 'token' : 'app',
    host: row.host && toDisplayLine(row.host),
    scopes: row.scopes,
    keeperIds: row.keeper_ids,
    topics: row.topics,
    withoutMoods: row.without_moods,
    purpose: row.purpose,
    monthlyBudgetUsd: row.monthly_limit_micros === null ? null : toDollars(row.monthly_limit_micros),
    hint,
    createdAt: toIsoTime(row.created_at),
    expiresAt: toIsoTimeOrNull(row.expires_at),
    lastUsedAt: toIsoTimeOrNull(row.last_used_at),
    revokedAt: toIsoTimeOrNull(row.revoked_at),
  }
}
