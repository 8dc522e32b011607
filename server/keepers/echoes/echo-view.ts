import { sql } from 'kysely'
import { compareStrings } from '#contract/compare-strings.ts'
import type { Echo, EchoState } from '#contract/keepers/echoes.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { type EntryRow, parseJsonColumn, toRecordFields } from '../entries/entry-tables.ts'
import { isActiveIn, requireKeeperFor } from '../keeper-access.ts'
import { checkTimeTriggers, formatDueReason } from './check-time-triggers.ts'
import { getEchoTimezone } from './echo-triggers.ts'

export type EchoRow = EntryRow<'echo'>
type EchoTimes = Pick<EchoRow, 'trigger_at' | 'ready_at' | 'delivered_at'>

/** A reached date counts before the sweep records it. */
function getEchoState({ trigger_at, ready_at, delivered_at }: EchoTimes, now: number): EchoState {
  if (delivered_at !== null) return 'delivered'
  return ready_at !== null || (trigger_at !== null && trigger_at <= now) ? 'ready' : 'pending'
}

/** Hides the text of an undelivered sealed echo. */
export function toEcho(row: EchoRow, now: number): Echo {
  const state = getEchoState(row, now)
  const readyAt = row.ready_at ?? (state === 'ready' ? row.trigger_at : null)
  return {
    ...toRecordFields(row),
    agentId: row.agent_id,
    message: row.sealed && state !== 'delivered' ? '' : row.message,
    sealed: row.sealed,
    triggerDate: toIsoTimeOrNull(row.trigger_at),
    triggerTimezone: row.trigger_timezone,
    triggerConditions: parseJsonColumn(row.trigger_conditions),
    state,
    delivered: state === 'delivered',
    deliveredAt: toIsoTimeOrNull(row.delivered_at),
    readyAt: toIsoTimeOrNull(readyAt),
    readyBecause: readyAt === null ? null : (row.ready_because ?? formatDueReason(readyAt, getEchoTimezone(row))),
  }
}

const noTime = Number.MAX_SAFE_INTEGER

/** Ready echoes come first, so that a limit never hides them. */
const createOrder = (now: number): PageOrder => [
  [createRankSql(now), 'asc'],
  [sql`coalesce(delivered_at, 0)`, 'desc'],
  [sql`coalesce(trigger_at, ${noTime})`, 'asc'],
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

const createRankSql = (now: number) => sql<number>`case when delivered_at is not null then 2
  when ready_at <= ${now} or trigger_at <= ${now} then 0 else 1 end`

/** Ready first, then pending by date, undated, and delivered last. @throws Problem 404; 400 for an invalid cursor */
export async function listEchoes(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<Echo[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  await checkTimeTriggers(services, keeper.id)
  const currentTime = services.now().getTime()
  // Pages share the time of the first one: an echo that becomes ready in between would be on no page.
  const [now, ...position] = parseCursor(cursor, ['number', 'number', 'number', 'number', 'number', 'string']) ?? [
    currentTime,
  ]
  const echoesQuery = services.db
    .selectFrom('echoes')
    .selectAll()
    .select(createRankSql(now).as('echo_rank'))
    .where(isActiveIn(keeper.id))
  const { rows, next_cursor } = await readPage(echoesQuery, {
    order: createOrder(now),
    after: cursor === undefined ? undefined : position,
    getPosition: (row) => [now, row.echo_rank, row.delivered_at ?? 0, row.trigger_at ?? noTime, row.created_at, row.id],
    size: sql<number>`octet_length(message)`,
    read: (query) => services.db.longRead(query),
  })
  return new Reply(rows.map((row) => toEcho(row, currentTime)).sort(compareEchoes), { extra: { next_cursor } })
}

const afterAllDates = '~'
const stateRank = { ready: 0, pending: 1, delivered: 2 }

function compareEchoes(a: Echo, b: Echo): number {
  return (
    stateRank[a.state] - stateRank[b.state] ||
    compareStrings(b.deliveredAt ?? '', a.deliveredAt ?? '') ||
    compareStrings(a.triggerDate ?? afterAllDates, b.triggerDate ?? afterAllDates)
  )
}
