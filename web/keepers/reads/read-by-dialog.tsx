import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { entries } from '#contract/keepers/entries.ts'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { callEnvelope } from '#web/api/api.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'

export interface ReadByDialogProps {
  entity: Entity
  id: string
  onClose: () => void
}

export function ReadByDialog({ entity, id, onClose }: ReadByDialogProps) {
  const result = useInfiniteQuery({
    queryKey: ['keeper', 'reads', entity, id],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callEnvelope(entries.reads, {
        params: { entity, id },
        query: { ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  const { data, isPending, ...more } = result
  const reads = data?.pages.flatMap((page) => page.data ?? [])
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Read by"
      description="Agents that have read this entry. Entries marked “Not for AI” are never read."
    >
      {isPending && <Skeleton className="h-20" />}
      <QueryError query={result}>Nothing you wrote is affected.</QueryError>
      {reads?.length === 0 && <p className="text-ui">No agents have read this entry yet.</p>}
      <ul aria-label="Read by" className="flex flex-col divide-y divide-hairline empty:hidden">
        {reads?.map(({ id: key, agentName, purpose, runId, at }) => (
          <li key={key} className="flex flex-wrap items-baseline gap-x-3 py-2 text-ui">
            <span className="min-w-0 flex-1 wrap-anywhere">
              Read by <b className="font-semibold">{agentName}</b>, <Time value={at} timeStyle="date-time" />
              <span className="block text-small text-muted-foreground">{purpose}</span>
            </span>
            <Link
              to={`/studio/kip/logs?run=${encodeURIComponent(runId)}`}
              className="rounded-xs text-small underline decoration-border underline-offset-[3px] hover:decoration-foreground"
            >
              in this run <span aria-hidden>→</span>
            </Link>
          </li>
        ))}
      </ul>
      {more.hasNextPage && <ShowMore {...more} label="Show earlier" className="mt-3" />}
    </Dialog>
  )
}
