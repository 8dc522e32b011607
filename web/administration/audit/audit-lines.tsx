import type { AuditEvent } from '#contract/administration/audit.ts'
import { Time } from '#web/ui/text/time.tsx'
import { auditActionLabels, formatAuditDomain, formatAuditPerson, formatAuditSubject } from './audit-labels.ts'

/** Events in which a person (`personId`) is the actor or the subject. */
export function AuditLines({ events, personId }: { events: readonly AuditEvent[]; personId: string }) {
  if (events.length === 0) return <p className="text-ui text-muted-foreground">No entries yet.</p>
  return (
    <ol className="flex flex-col gap-2 text-ui">
      {events.map((event) => (
        <li key={event.id}>
          <span className="font-medium">{auditActionLabels[event.action]}</span>
          {[formatAuditSubject(event), formatAuditDomain(event.domain)].filter(Boolean).map((text) => (
            <span key={text} className="wrap-break-word">
              {' '}
              · {text}
            </span>
          ))}
          <span className="block text-small text-muted-foreground">
            <Time value={event.at} timeStyle="date-time" />
            {event.actor?.id !== personId && <> by {formatAuditPerson(event.actor)}</>}
            {event.person && event.person.id !== personId && <> to {formatAuditPerson(event.person)}</>}
          </span>
        </li>
      ))}
    </ol>
  )
}
