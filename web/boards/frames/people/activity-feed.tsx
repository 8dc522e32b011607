import type { AuditEvent } from '#contract/administration/audit.ts'
import { samplePeopleBoard } from '#contract/samples/sample-people.ts'
import { toActivitySentence, useActivity } from '#web/domains/people/views/activity-sentence.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { Time } from '#web/ui/text/time.tsx'
import { WithDomain } from '../domain/with-domain.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { FrameQuery, toReasonText } from '../frame-query.tsx'

export function ActivityFeedFrame(props: FrameBodyProps) {
  return (
    <WithDomain {...props}>
      {(domain, isSample) =>
        isSample ? (
          <div className="px-3 py-2.5">
            <FeedEvents events={samplePeopleBoard.samples?.activity ?? []} />
          </div>
        ) : (
          <Feed key={domain.id} domainId={domain.id} />
        )
      }
    </WithDomain>
  )
}

function Feed({ domainId }: { domainId: string }) {
  const query = useActivity(domainId)
  return (
    <FrameQuery query={query} entityName="domain">
      {({ pages }) => (
        <div className="px-3 py-2.5">
          <FeedEvents events={pages.flatMap(({ items }) => items)} />
          {query.isFetchNextPageError && (
            <p role="alert" className="mt-2 text-small font-medium text-destructive">
              {toReasonText(query.error)}
            </p>
          )}
          {query.hasNextPage && (
            <Button
              size="small"
              className="mt-2.5"
              busy={query.isFetchingNextPage}
              onClick={() => query.fetchNextPage()}
            >
              Show earlier
            </Button>
          )}
        </div>
      )}
    </FrameQuery>
  )
}

function FeedEvents({ events }: { events: readonly AuditEvent[] }) {
  if (events.length === 0) return <FrameNote>No activity yet.</FrameNote>
  const days = Map.groupBy(events, ({ at }) => formatTime(at, 'date'))
  return (
    <div className="flex flex-col gap-3">
      {[...days].map(([day, dayEvents]) => (
        <section key={day} aria-label={day}>
          <h4 className="text-small font-label text-muted-foreground">{day}</h4>
          <ol>
            {dayEvents.map((event) => {
              const { actorName, predicate } = toActivitySentence(event)
              return (
                <li key={event.id} className="flex gap-2.5 border-b border-hairline py-1.5 text-ui leading-[18px]">
                  <Time
                    value={event.at}
                    timeStyle="time"
                    className="w-14 shrink-0 text-small leading-[18px] text-muted-foreground tabular-nums"
                  />
                  <p className="min-w-0 flex-1 wrap-anywhere">
                    <span className="font-label">{actorName}</span> {predicate}
                  </p>
                </li>
              )
            })}
          </ol>
        </section>
      ))}
    </div>
  )
}
