import { useQueryClient } from '@tanstack/react-query'
import { Clock, HardDrive, RefreshCw } from 'lucide-react'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { lastReach, onJournal } from '#web/api-journal.ts'
import { Button } from '#web/ui/button.tsx'
import { counted } from '#web/ui/counted.ts'
import { useNewVersion } from './use-new-version.ts'
import { usePendingWrites } from './use-pending-writes.ts'
import { noteFreshReads, onWhatIsKept, whatIsKept } from './what-is-kept.ts'
import { ownQueue } from './write-queue.ts'

const PendingDialog = lazy(() => import('./pending-dialog.tsx').then((module) => ({ default: module.PendingDialog })))

export function OfflineBars() {
  useSending()
  const newVersion = useNewVersion()
  return (
    <div role="status" data-chrome>
      <PendingWrites />
      {newVersion && (
        <Bar icon={<RefreshCw aria-hidden size={15} className="shrink-0 text-info" />}>
          <p className="min-w-0 flex-1">A new version is ready.</p>
          <Button size="small" variant="plain" onClick={newVersion.reload}>
            Reload
          </Button>
        </Bar>
      )}
    </div>
  )
}

function PendingWrites() {
  const writes = usePendingWrites()
  const [open, setOpen] = useState(false)
  const held = writes.filter(({ state }) => state !== 'waiting').length
  const waiting = writes.length - held
  const { lasting } = useSyncExternalStore(onWhatIsKept, whatIsKept)
  return (
    <>
      {writes.length === 0 && !lasting && (
        <Bar icon={<HardDrive aria-hidden size={15} className="shrink-0 text-warning" />}>
          <p className="min-w-0 flex-1">
            This browser can’t save drafts. Unsaved text is lost when you close this page.
          </p>
        </Bar>
      )}
      {writes.length > 0 && (
        <Bar icon={<Clock aria-hidden size={15} className="shrink-0 text-muted-foreground" />}>
          <p className="min-w-0 flex-1">
            {[
              waiting > 0 && `${counted(waiting, 'change')} waiting to be sent.`,
              held > 0 && `${counted(held, 'change needs', 'changes need')} your attention.`,
              !lasting && 'This browser can’t save anything for later, so keep this page open.',
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
          <Button size="small" variant="plain" onClick={() => setOpen(true)}>
            {held > 0 ? 'Review' : 'Show'}
          </Button>
        </Bar>
      )}
      {open && (
        <Suspense fallback={null}>
          <PendingDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function Bar({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <div className="flex animate-fade items-center gap-3 border-b border-border bg-card px-7 py-1 text-ui phone:px-4">
      {icon}
      {children}
    </div>
  )
}

/** Sends queued writes whenever the server is likely reachable, and refreshes queries. */
function useSending(): void {
  const queries = useQueryClient()
  const queue = ownQueue()
  useEffect(() => {
    if (!queue) return
    const send = () => void queue.flush()
    const look = () => document.visibilityState === 'visible' && send()
    let reach = lastReach()
    const stopHearing = onJournal(() => {
      const before = reach
      reach = lastReach()
      if (before === reach || reach === 'unreachable') return
      send()
      // Cached data is on screen; refetch it from the server.
      noteFreshReads()
      void queries.invalidateQueries()
    })
    const stopTelling = queue.onSent(() => {
      void queries.invalidateQueries({ queryKey: ['keeper'] })
      void queries.invalidateQueries({ queryKey: ['keepers'] })
    })
    addEventListener('online', send)
    addEventListener('focus', send)
    document.addEventListener('visibilitychange', look)
    send()
    return () => {
      stopHearing()
      stopTelling()
      removeEventListener('online', send)
      removeEventListener('focus', send)
      document.removeEventListener('visibilitychange', look)
    }
  }, [queue, queries])
}
