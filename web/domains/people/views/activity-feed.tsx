import { useState } from 'react'
import type { AuditEvent } from '#contract/administration/audit.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { Time } from '#web/ui/text/time.tsx'
import type { PeopleBoardData } from '../people-board-data.ts'
import { toActivitySentence, useActivity } from './activity-sentence.ts'
import { DomainChoice } from './domain-choice.tsx'

interface ActivityFeedProps {
  board: Pick<PeopleBoardData, 'domains' | 'samples'>
  /** In a frame of a board. */
  compact?: boolean
}

export function ActivityFeed({ board, compact = false }: ActivityFeedProps) {
  const [chosenDomainId, setChosenDomainId] = useState<string>()
  const domainId = board.domains.find(({ id }) => id === chosenDomainId)?.id ?? board.domains[0]?.id ?? ''
  if (board.samples) return <ActivityEvents events={board.samples.activity} compact={compact} />
  return (
    <div className="max-w-[720px]">
      {board.domains.length > 1 && (
        <div className="mb-5">
          <DomainChoice domains={board.domains} value={domainId} onChange={setChosenDomainId} />
        </div>
      )}
      {domainId && <LiveEvents key={domainId} domainId={domainId} compact={compact} />}
    </div>
  )
}

function LiveEvents({ domainId, compact }: { domainId: string; compact: boolean }) {
  const feed = useActivity(domainId)
  if (feed.isPending)
    return (
      <SkeletonGroup className="flex flex-col gap-3">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-5 w-2/3" />
        ))}
      </SkeletonGroup>
    )
  return (
    <>
      {feed.error && (
        <ErrorPanel
          title="Activity couldn’t be loaded"
          onRetry={() => (feed.data ? feed.fetchNextPage() : feed.refetch())}
          retryLabel="Try Again"
          retrying={feed.isFetching}
          reason={feed.error}
          className="mb-4"
        >
          {feed.error.message}
        </ErrorPanel>
      )}
      {feed.data && <ActivityEvents events={feed.data.pages.flatMap(({ items }) => items)} compact={compact} />}
      {feed.hasNextPage && (
        <Button className="mt-4" busy={feed.isFetchingNextPage} onClick={() => feed.fetchNextPage()}>
          Show earlier
        </Button>
      )}
    </>
  )
}

function ActivityEvents({ events, compact }: { events: readonly AuditEvent[]; compact: boolean }) {
  const DayHeading = compact ? 'h4' : 'h2'
  if (events.length === 0)
    return (
      <EmptyPanel title="No activity yet">Members, roles, invitations and shared content will appear here.</EmptyPanel>
    )
  const days = Map.groupBy(events, ({ at }) => formatTime(at, 'date'))
  return (
    <div className={compact ? 'flex flex-col gap-3' : 'flex flex-col gap-6'}>
      {[...days].map(([day, dayEvents]) => (
        <section key={day} aria-label={day}>
          <DayHeading className={compact ? 'text-small font-label text-muted-foreground' : 'mb-2 text-h3'}>
            {day}
          </DayHeading>
          <ol className="flex flex-col">
            {dayEvents.map((event) => {
              const { actorName, predicate } = toActivitySentence(event)
              return (
                <li
                  key={event.id}
                  className={classNames(
                    'flex gap-3 border-b border-hairline',
                    compact ? 'py-1 text-ui' : 'py-2 text-body',
                  )}
                >
                  <Time
                    value={event.at}
                    timeStyle="time"
                    className="w-16 shrink-0 text-small leading-[1.3125rem] text-muted-foreground tabular-nums"
                  />
                  <p className="min-w-0 flex-1 wrap-anywhere">
                    <span dir="auto" className="font-label">
                      {actorName}
                    </span>{' '}
                    {predicate}
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
