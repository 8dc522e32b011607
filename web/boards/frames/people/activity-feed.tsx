import type { AuditEvent } from '#contract/administration/audit.ts'
import { sampleBoard } from '#web/people/sample-board.ts'
import { activityWords } from '#web/people/views/activity-words.ts'
import { useActivity } from '#web/people/views/use-activity.ts'
import { Button } from '#web/ui/button.tsx'
import { formatTime } from '#web/ui/format-time.ts'
import { Time } from '#web/ui/time.tsx'
import { OfDomain } from '../domain/of-domain.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { FrameQuery, wordsOfReason } from '../frame-query.tsx'

export function ActivityFeedFrame(props: FrameBodyProps) {
  return (
    <OfDomain {...props}>
      {(domain, isSample) =>
        isSample ? (
          <div className="px-3 py-2.5">
            <Events events={sampleBoard.samples?.activity ?? []} />
          </div>
        ) : (
          <Feed key={domain.id} domainId={domain.id} />
        )
      }
    </OfDomain>
  )
}

function Feed({ domainId }: { domainId: string }) {
  const query = useActivity(domainId)
  return (
    <FrameQuery query={query} what="domain">
      {({ pages }) => (
        <div className="px-3 py-2.5">
          <Events events={pages.flatMap(({ items }) => items)} />
          {query.isFetchNextPageError && (
            <p role="alert" className="mt-2 text-small font-medium text-destructive">
              {wordsOfReason(query.error)}
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

function Events({ events }: { events: readonly AuditEvent[] }) {
  if (events.length === 0) return <FrameNote>No activity yet.</FrameNote>
  const days = Map.groupBy(events, ({ at }) => formatTime(at, 'date'))
  return (
    <div className="flex flex-col gap-3">
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h4 className="text-small font-label text-muted-foreground">{day}</h4>
          <ol>
            {ofDay.map((event) => {
              const { who, did } = activityWords(event)
              return (
                <li key={event.id} className="flex gap-2.5 border-b border-hairline py-1.5 text-ui leading-[18px]">
                  <Time
                    value={event.at}
                    as="time"
                    className="w-14 shrink-0 text-small leading-[18px] text-muted-foreground tabular-nums"
                  />
                  <p className="min-w-0 flex-1 wrap-anywhere">
                    <span className="font-label">{who}</span> {did}
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
