import type { AuditEvent } from '#contract/administration/audit.ts'
import { type CsvValue, formatCsvLine } from '#contract/csv-line.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'
import { type AuditFilter, readAudit } from './read-audit.ts'

const auditPageSize = 500

export function exportAudit(services: Services, filter: AuditFilter): Response {
  const encoder = new TextEncoder()
  let cursor: string | null | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(formatCsvLine(columns.map(([name]) => name)))),
      async pull(controller) {
        if (cursor === null) return controller.close()
        const page = await readAudit(services, filter, { cursor, limit: auditPageSize })
        cursor = page.next_cursor
        const lines = page.items.map((event) => formatCsvLine(columns.map(([, getCell]) => getCell(event))))
        controller.enqueue(encoder.encode(lines.join('')))
      },
    },
    { highWaterMark: 1 },
  )
  return new Response(body, {
    headers: {
      ...securityHeaders,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="keeper-audit-${services.now().toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'no-store',
      'transfer-encoding': 'chunked',
    },
  })
}

const toNameCell = (entity: { name: string | null } | null) => (entity?.name ? toDisplayLine(entity.name) : null)

const columns: [name: string, getCell: (event: AuditEvent) => CsvValue][] = [
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
