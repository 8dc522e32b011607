import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuditEvent } from '#contract/administration/audit.ts'
import { type DomainRole, roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { people } from '#contract/domains/people.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { Time } from '#web/ui/text/time.tsx'
import type { PeopleBoardData } from '../people-board-data.ts'
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

const sentences: Partial<Record<AuditEvent['action'], (event: AuditEvent) => string>> = {
  'domain-created': () => 'created this domain',
  'domain-changed': () => 'changed the domain',
  'domain-made-primary': () => 'made it their primary domain',
  'domain-transferred': (event) => `transferred the domain to ${formatSubject(event)}`,
  'custom-domain-set': (event) => `set ${event.subject ?? 'a custom domain'} as custom domain`,
  'custom-domain-added': (event) => `added ${event.subject ?? 'the custom domain'} to hosting`,
  'custom-domain-verified': (event) => `verified ${event.subject ?? 'the custom domain'}`,
  'custom-domain-lost': (event) => `noticed that ${event.subject ?? 'the custom domain'} is no longer verified`,
  'custom-domain-removed': (event) => `removed ${event.subject ?? 'the custom domain'}`,
  'member-added': (event) => `added ${formatSubject(event)}${event.subject ? ` as ${formatRole(event.subject)}` : ''}`,
  'member-agreed': () => 'joined the domain',
  'member-role-changed': (event) =>
    `changed ${formatSubject(event)} from ${formatRole(event.details.from) ?? 'another role'} to ${formatRole(event.details.to ?? event.subject) ?? 'another'}`,
  'member-removed': (event) => `removed ${formatSubject(event)}`,
  'member-left': () => 'left the domain',
  'person-noted': (event) => `wrote a note about ${formatSubject(event)}`,
  'person-put-on-journey': (event) => `added ${formatSubject(event)} to a journey`,
  'person-taken-off-journey': (event) => `removed ${formatSubject(event)} from a journey`,
  'invitation-sent': (event) => `invited someone${event.subject ? ` as ${formatRole(event.subject)}` : ''}`,
  'invitation-resent': () => 'resent an invitation',
  'invitation-revoked': () => 'revoked an invitation',
  'invitation-accepted': (event) => `accepted an invitation${event.subject ? ` as ${formatRole(event.subject)}` : ''}`,
  'keeper-shared': () => 'shared a keeper',
  'keeper-unshared': () => 'unshared a keeper',
  'journey-shared': () => 'shared a journey',
  'journey-unshared': () => 'unshared a journey',
}

export function toActivitySentence(event: AuditEvent): { actorName: string; predicate: string } {
  const actorName = event.actor ? (event.actor.name ?? 'A deleted user') : 'Keeper'
  return { actorName, predicate: sentences[event.action]?.(event) ?? event.action.replaceAll('-', ' ') }
}

function formatRole(role: string | null | undefined): string | null | undefined {
  return role && role in roleNamesInSentence ? roleNamesInSentence[role as DomainRole] : role
}

function formatSubject({ person, actor }: AuditEvent): string {
  if (!person) return 'someone'
  if (person.id === actor?.id) return 'themselves'
  return person.name ?? 'a deleted user'
}

const useActivity = (domainId: string) =>
  useInfiniteQuery({
    queryKey: ['people', 'activity', domainId],
    queryFn: ({ pageParam, signal }) =>
      call(people.activity, { params: { id: domainId }, query: pageParam ? { cursor: pageParam } : {}, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
