import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { dashboards, type KeeperEvent } from '#contract/keepers/dashboard.ts'
import { entityNames } from '#contract/keepers/entity-names.ts'
import { call } from '#web/api/api.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { keepersKey } from '../keeper-queries.ts'

const maxEvents = 6

/** The latest events of all keepers, live. Renders nothing when there are none. */
export function KeeperEvents() {
  const { data: events } = useQuery({
    queryKey: [...keepersKey, 'events'],
    queryFn: ({ signal }) => call(dashboards.events, { query: { limit: maxEvents }, signal }),
  })
  if (!events || events.length === 0) return null
  return (
    <section aria-label="In your keepers">
      <h2 className="mb-3">In your keepers</h2>
      <Card padded={false} className="overflow-hidden">
        <ul aria-label="Newest in your keepers">
          {events.map((event) => (
            <li
              data-item
              key={event.id}
              className="relative flex items-baseline gap-2 border-b border-hairline px-5 py-2 phone:px-4 last:border-b-0 hover:bg-fill-hover"
            >
              <Link
                to={getEventPath(event)}
                className="min-w-0 flex-1 truncate text-ui outline-hidden after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
              >
                {formatEvent(event)}
                <span className="text-muted-foreground"> in {event.keeperTitle}</span>
              </Link>
              <span className="shrink-0 text-small text-muted-foreground">
                <Time value={event.at} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

const eventNouns: Record<KeeperEvent['entity'], string> = { ...entityNames, sole: 'SOLE draft' }
const eventVerbs: Record<KeeperEvent['what'], string> = {
  written: 'written',
  kept: 'kept',
  submitted: 'awaits review',
  approved: 'approved',
  rejected: 'rejected',
  delivered: 'delivered',
  ready: 'is ready',
  completed: 'completed',
  imported: 'import done',
}
const formatEvent = ({ entity, what: action }: KeeperEvent) => `${eventNouns[entity]} ${eventVerbs[action]}`

const eventPages: Partial<Record<KeeperEvent['entity'], string>> = {
  reflection: 'reflection-journal',
  card: 'memory-cards',
  voice: 'voice-panel',
  echo: 'echo-writer',
  logbook: 'identity-logbook',
  moment: 'moments',
  journey: 'journeys',
  sole: 'memory',
}

function getEventPath({ entity, entityId, keeperId }: KeeperEvent): string {
  const page = `/keeper/${encodeURIComponent(keeperId)}/${eventPages[entity] ?? 'dashboard'}`
  return entity === 'card' ? `${page}?card=${encodeURIComponent(entityId)}` : page
}
