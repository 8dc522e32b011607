import type { AuditEvent } from '#contract/administration/audit.ts'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { auditActionLabels, formatAuditDomain, formatAuditPerson, formatAuditSubject } from './audit-labels.ts'

const columns: Column<AuditEvent>[] = [
  {
    id: 'at',
    header: 'When',
    className: 'whitespace-nowrap text-muted-foreground align-top',
    wideOnly: true,
    cell: ({ at }) => <Time value={at} timeStyle="date-time" />,
  },
  {
    id: 'action',
    header: 'What',
    rowHeader: true,
    className: 'align-top',
    cell: (event) => (
      <>
        <span className="font-medium">{auditActionLabels[event.action]}</span>
        <span className="block text-small text-muted-foreground wrap-anywhere">{formatAuditSubject(event)}</span>
        <Time value={event.at} timeStyle="date-time" className="block text-small text-muted-foreground desk:hidden" />
      </>
    ),
  },
  {
    id: 'actor',
    header: 'Who',
    className: 'align-top wrap-anywhere',
    cell: ({ actor, person }) => (
      <>
        {formatAuditPerson(actor)}
        {person && person.id !== actor?.id && (
          <span className="block text-small text-muted-foreground desk:hidden">
            Person affected: {formatAuditPerson(person)}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'person',
    header: 'Person affected',
    wideOnly: true,
    className: 'align-top wrap-anywhere',
    cell: ({ actor, person }) => (person && person.id !== actor?.id ? formatAuditPerson(person) : ''),
  },
  {
    id: 'domain',
    header: 'Domain',
    wideOnly: true,
    className: 'align-top wrap-anywhere',
    cell: ({ domain }) => formatAuditDomain(domain),
  },
]

export function AuditTable({ events }: { events: readonly AuditEvent[] }) {
  return <Table label="Audit log" columns={columns} rows={events} rowKey={({ id }) => id} />
}
