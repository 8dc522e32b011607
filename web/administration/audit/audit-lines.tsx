import type { AuditEvent } from '#contract/administration/audit.ts'
import { Time } from '#web/ui/time.tsx'
import { auditWords, domainWords, subjectWords, whoWords } from './audit-words.ts'

/** Events in which a person (`about`) is the actor or the subject. */
export function AuditLines({ events, about }: { events: readonly AuditEvent[]; about: string }) {
  if (events.length === 0) return <p className="text-ui text-muted-foreground">No entries yet.</p>
  return (
    <ol className="flex flex-col gap-2 text-ui">
      {events.map((event) => (
        <li key={event.id}>
          <span className="font-medium">{auditWords[event.action]}</span>
          {[subjectWords(event), domainWords(event.domain)].filter(Boolean).map((words) => (
            <span key={words} className="wrap-break-word">
              {' '}
              · {words}
            </span>
          ))}
          <span className="block text-small text-muted-foreground">
            <Time value={event.at} as="date-time" />
            {event.actor?.id !== about && <> by {whoWords(event.actor)}</>}
            {event.person && event.person.id !== about && <> to {whoWords(event.person)}</>}
          </span>
        </li>
      ))}
    </ol>
  )
}
