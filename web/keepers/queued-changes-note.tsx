import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { Banner } from '#web/ui/panels/banner.tsx'

/** Shows how many changes of these kinds are queued. Renders nothing without any. */
export function QueuedChangesNote({ keeperId, kinds }: { keeperId: string; kinds: readonly string[] }) {
  const queuedWrites = usePendingWrites(keeperId).filter(({ what: kind }) => kinds.includes(kind))
  if (queuedWrites.length === 0) return null
  return (
    <Banner tone="info" className="mb-4">
      {queuedWrites.length === 1 ? 'One change is' : `${queuedWrites.length} changes are`} waiting to be sent. They are
      safe in this browser, and shown here once the server has them.
    </Banner>
  )
}
