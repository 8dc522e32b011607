import { useQueryClient } from '@tanstack/react-query'
import { Clock, HardDrive, RefreshCw } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { getReachability, onJournalChange } from '#web/api/api-journal.ts'
import { toTrustedScriptUrl } from '#web/csp/trusted-script-url.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { runWhenIdle } from '#web/ui/hooks/run-when-idle.ts'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { getStorageStatus, onStorageStatusChange, updateStorageStatus } from './local-store.ts'
import { usePendingWrites } from './use-pending-writes.ts'
import { getCurrentQueue } from './write-queue.ts'

const PendingDialog = lazyComponent(async () => (await import('./pending-dialog.tsx')).PendingDialog)

export function OfflineBars() {
  useQueueSending()
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
  const blockedCount = writes.filter(({ state }) => state !== 'waiting').length
  const waitingCount = writes.length - blockedCount
  const { isPersistent } = useSyncExternalStore(onStorageStatusChange, getStorageStatus)
  return (
    <>
      {writes.length === 0 && !isPersistent && (
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
              waitingCount > 0 && `${pluralize(waitingCount, 'change')} waiting to be sent.`,
              blockedCount > 0 && `${pluralize(blockedCount, 'change needs', 'changes need')} your attention.`,
              !isPersistent && 'This browser can’t save anything for later, so keep this page open.',
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
          <Button size="small" variant="plain" onClick={() => setOpen(true)}>
            {blockedCount > 0 ? 'Review' : 'Show'}
          </Button>
        </Bar>
      )}
      {open && <PendingDialog onClose={() => setOpen(false)} />}
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

function useQueueSending(): void {
  const queryClient = useQueryClient()
  const queue = getCurrentQueue()
  useEffect(() => {
    if (!queue) return
    const send = () => void queue.flush()
    const sendIfVisible = () => {
      if (document.visibilityState === 'visible') send()
    }
    let connection = getReachability()
    const unsubscribeJournal = onJournalChange(() => {
      const previous = connection
      connection = getReachability()
      if (previous === connection || connection !== 'reached') return
      send()
      // Cached data is on screen; refetch it from the server.
      updateStorageStatus({ oldestReadAt: null })
      void queryClient.invalidateQueries()
    })
    const unsubscribeSent = queue.onSent(() => {
      void queryClient.invalidateQueries({ queryKey: ['keeper'] })
      void queryClient.invalidateQueries({ queryKey: ['keepers'] })
    })
    addEventListener('online', send)
    addEventListener('focus', send)
    document.addEventListener('visibilitychange', sendIfVisible)
    send()
    return () => {
      unsubscribeJournal()
      unsubscribeSent()
      removeEventListener('online', send)
      removeEventListener('focus', send)
      document.removeEventListener('visibilitychange', sendIfVisible)
    }
  }, [queue, queryClient])
}

const updateCheckMs = 30 * 60 * 1000
/** How often to check whether the page has loaded all its data. */
const quietCheckMs = 3000

/** Registers the service worker and reports a waiting update, which takes over only on request. */
function useNewVersion(): { reload: () => void } | null {
  const [waitingWorker, setWaitingWorker] = useState<ServiceWorker | null>(null)
  const queryClient = useQueryClient()

  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    let isUnmounted = false
    // A first registration downloads the whole app, which would delay the page that is opening.
    const quietTimer = setInterval(() => {
      if (queryClient.isFetching() > 0) return
      clearInterval(quietTimer)
      runWhenIdle(() => void register(), quietCheckMs)
    }, quietCheckMs)
    let timer: ReturnType<typeof setInterval> | undefined
    const register = async () => {
      const registration = await navigator.serviceWorker
        .register(toTrustedScriptUrl('/sw.js'), { scope: '/', updateViaCache: 'none' })
        // Blocked or unreachable: the app works online as before.
        .catch(() => undefined)
      if (!registration || isUnmounted) return
      const checkWaitingUpdate = () => {
        if (registration.waiting && navigator.serviceWorker.controller) setWaitingWorker(registration.waiting)
      }
      registration.addEventListener('updatefound', () =>
        registration.installing?.addEventListener('statechange', checkWaitingUpdate),
      )
      checkWaitingUpdate()
      timer = setInterval(() => void registration.update().catch(() => undefined), updateCheckMs)
    }
    return () => {
      isUnmounted = true
      clearInterval(quietTimer)
      clearInterval(timer)
    }
  }, [queryClient])

  if (!waitingWorker) return null
  return {
    reload() {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      waitingWorker.postMessage('take-over')
    },
  }
}
