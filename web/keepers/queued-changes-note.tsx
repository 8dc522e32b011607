import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { Banner } from '#web/ui/banner.tsx'

/** Shows how many changes of these kinds are queued. Renders nothing without any. */
export function QueuedChangesNote({ keeperId, kinds }: { keeperId: string; kinds: readonly string[] }) {
  const waiting = usePendingWrites(keeperId).filter(({ what: subject }) => kinds.includes(subject))
  if (waiting.length === 0) return null
  return (
    <Banner tone="info" className="mb-4">
      {waiting.length === 1 ? 'One change is' : `${waiting.length} changes are`} waiting to be sent. They are safe in
      this browser, and shown here once the server has them.
    </Banner>
  )
}
