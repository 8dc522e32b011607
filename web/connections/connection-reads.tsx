import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Connection, connections } from '#contract/connections/connections.ts'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { callEnvelope } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'

const pageSize = 50

interface ConnectionReadsProps {
  connection: Connection
  onClose: () => void
}

/** Every card and moment that a program has read, with the time and purpose. */
export function ConnectionReads({ connection: { id, name }, onClose }: ConnectionReadsProps) {
  const query = useInfiniteQuery({
    queryKey: ['connections', id, 'reads'],
    queryFn: ({ pageParam, signal }) =>
      callEnvelope(connections.reads, {
        params: { id },
        query: { limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  const reads = query.data?.pages.flatMap(({ data }) => data ?? [])
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={`What ${name} knows about you`}>
      <QueryState
        query={query}
        skeleton={<SkeletonRows label="Loading what it has read" rowClassName="h-10 w-full" />}
        title="The list couldn’t be loaded"
      />
      {reads?.length === 0 && <p>It hasn’t read anything yet.</p>}
      {reads && reads.length > 0 && (
        <ul className="border-t border-border">
          {reads.map((read) => (
            <li key={read.id} className="border-b border-hairline py-2 text-ui">
              {read.title === null ? (
                'A deleted entry'
              ) : (
                <Link
                  to={getEntryPath({ entity: read.entity, keeperId: read.keeperId, id: read.entityId })}
                  dir="auto"
                  className="wrap-anywhere underline underline-offset-[3px]"
                >
                  {read.title}
                </Link>
              )}
              <span dir="auto" className="block text-small wrap-anywhere text-muted-foreground">
                <Time value={read.at} timeStyle="date-time" />, {read.purpose}
              </span>
            </li>
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button
          size="small"
          className="mt-3"
          busy={query.isFetchingNextPage}
          busyLabel="Loading..."
          onClick={() => query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Dialog>
  )
}
