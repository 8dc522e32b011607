import { Link } from 'react-router'
import { entries } from '#contract/keepers/entries.ts'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { callEnvelope } from '#web/api/api.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { usePages } from '#web/queries/use-pages.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Time } from '#web/ui/text/time.tsx'

export function ReadByDialog({ entity, id, onClose }: { entity: Entity; id: string; onClose: () => void }) {
  const result = usePages(['keeper', 'reads', entity, id], (page, signal) =>
    callEnvelope(entries.reads, { params: { entity, id }, query: page, signal }),
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Read by"
      description="Agents that have read this entry. Entries marked “Not for AI” are never read."
    >
      <QueryStatus query={result} skeletonClassName="h-20" />
      {result.data && result.items.length === 0 && <p className="text-ui">No agents have read this entry yet.</p>}
      <ul aria-label="Read by" className="flex flex-col divide-y divide-hairline empty:hidden">
        {result.items.map(({ id: key, agentName, purpose, runId, at }) => (
          <li key={key} className="flex flex-wrap items-baseline gap-x-3 py-2 text-ui">
            <span className="min-w-0 flex-1 wrap-anywhere">
              Read by{' '}
              <b dir="auto" className="font-semibold">
                {agentName}
              </b>
              , <Time value={at} timeStyle="date-time" />
              <span dir="auto" className="block text-small text-muted-foreground">
                {purpose}
              </span>
            </span>
            <Link to={`/studio/kip/logs?run=${encodeURIComponent(runId)}`} className={quietLinkClasses}>
              in this run <span aria-hidden>→</span>
            </Link>
          </li>
        ))}
      </ul>
      {result.hasNextPage && <ShowMore {...result} label="Show earlier" className="mt-3" />}
    </Dialog>
  )
}
