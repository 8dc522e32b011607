import { sql } from 'kysely'
import type { AuditAction, AuditEvent } from '#contract/administration/audit.ts'
import { type CsvValue, formatCsvHeader, formatCsvLine } from '#contract/csv-line.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import { csvType, streamFile } from '#server/http/stream-file.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

export interface AuditFilter {
  userId?: string | undefined
  domainId?: string | undefined
  action?: AuditAction | undefined
  /** Days like 2026-11-20 in UTC; `to` is inclusive. */
  from?: string | undefined
  to?: string | undefined
  /** Leaves out actions `always`, or `unlessInvolved`: unless this person did it or it was done to them. */
  except?: { always: readonly AuditAction[]; unlessInvolved: readonly AuditAction[]; userId: string } | undefined
}

const pageSize = 50

/** Newest first, with current names; deleted people and domains have none. @throws Problem 400 for an invalid cursor */
export async function readAudit(
  services: Services,
  filter: AuditFilter,
  { cursor, limit = pageSize }: { cursor?: string | undefined; limit?: number | undefined } = {},
): Promise<{ items: AuditEvent[]; next_cursor: string | null }> {
  let query = services.db
    .selectFrom('audit_events')
    .leftJoin('people as actors', 'actors.id', 'audit_events.actor_id')
    .leftJoin('people as persons', 'persons.id', 'audit_events.person_id')
    .leftJoin('domains', 'domains.id', 'audit_events.domain_id')
    .selectAll('audit_events')
    .select(['actors.name as actor_name', 'persons.name as person_name', 'domains.name as domain_name'])
    .orderBy('audit_events.at', 'desc')
    .orderBy('audit_events.id', 'desc')
    .limit(limit + 1)
  const { userId, domainId, action, from, to, except } = filter
  if (userId !== undefined)
    query = query.where((where) =>
      where.or([where('audit_events.actor_id', '=', userId), where('audit_events.person_id', '=', userId)]),
    )
  if (domainId !== undefined) query = query.where('audit_events.domain_id', '=', domainId)
  if (except)
    query = query
      .where('audit_events.action', 'not in', except.always)
      .where((where) =>
        where.or([
          where('audit_events.action', 'not in', except.unlessInvolved),
          where('audit_events.actor_id', '=', except.userId),
          where('audit_events.person_id', '=', except.userId),
        ]),
      )
  if (action !== undefined) query = query.where('audit_events.action', '=', action)
  if (from !== undefined) query = query.where('audit_events.at', '>=', Date.parse(from))
  if (to !== undefined) query = query.where('audit_events.at', '<', Date.parse(to) + dayMs)
  if (cursor !== undefined) {
    const { at, id } = parseTimeCursor(cursor)
    query = query.where(sql<boolean>`(audit_events.at, audit_events.id) < (${at}, ${id})`)
  }
  const rows = await services.db.longRead(query)
  const visibleRows = rows.slice(0, limit)
  const last = rows.length > limit ? visibleRows.at(-1) : undefined
  return {
    items: visibleRows.map((row) => ({
      id: row.id,
      at: new Date(row.at).toISOString(),
      action: row.action,
      actor: row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name },
      person: row.person_id === null ? null : { id: row.person_id, name: row.person_name },
      domain: row.domain_id === null ? null : { id: row.domain_id, name: row.domain_name },
      subject: row.subject,
      details: row.details,
    })),
    next_cursor: last ? formatTimeCursor(last.at, last.id) : null,
  }
}

const auditPageSize = 500

/** All matching events, page by page. */
export async function* iterateAuditPages(services: Services, filter: AuditFilter): AsyncGenerator<AuditEvent[]> {
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await readAudit(services, filter, { cursor, limit: auditPageSize })
    cursor = page.next_cursor
    yield page.items
  }
}

export function exportAudit(services: Services, filter: AuditFilter): Response {
  const day = services.now().toISOString().slice(0, 10)
  return streamFile(`keeper-audit-${day}.csv`, csvType, streamAuditCsv(services, filter))
}

async function* streamAuditCsv(services: Services, filter: AuditFilter): AsyncGenerator<string> {
  yield formatCsvHeader(csvColumns.map(([name]) => name))
  for await (const events of iterateAuditPages(services, filter))
    yield events.map((event) => formatCsvLine(csvColumns.map(([, getCell]) => getCell(event)))).join('')
}

const toNameCell = (entity: { name: string | null } | null) => (entity?.name ? toDisplayLine(entity.name) : null)

const csvColumns: [name: string, getCell: (event: AuditEvent) => CsvValue][] = [
  ['event_id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['action', ({ action }) => action],
  ['actor_id', ({ actor }) => actor?.id ?? null],
  ['actor', ({ actor }) => toNameCell(actor)],
  ['person_id', ({ person }) => person?.id ?? null],
  ['person', ({ person }) => toNameCell(person)],
  ['domain_id', ({ domain }) => domain?.id ?? null],
  ['domain', ({ domain }) => toNameCell(domain)],
  ['subject', ({ subject }) => subject],
  ['details', ({ details }) => (Object.keys(details).length > 0 ? JSON.stringify(details) : null)],
]
