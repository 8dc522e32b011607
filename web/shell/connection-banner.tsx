import { CloudOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { call } from '#web/api/api.ts'
import { getReachability, onJournalChange } from '#web/api/api-journal.ts'
import { getStorageStatus, onStorageStatusChange } from '#web/offline/local-store.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'

const pingIntervalMs = 5000

/** Pings every 5 s while the last call failed to reach the server. */
export function ConnectionBanner() {
  const connection = useSyncExternalStore(onJournalChange, getReachability)
  const { oldestReadAt, isPersistent } = useSyncExternalStore(onStorageStatusChange, getStorageStatus)
  const [isRetrying, setRetrying] = useState(false)
  const isOffline = connection === 'unreachable'

  useEffect(() => {
    if (!isOffline) return
    const timer = setInterval(ping, pingIntervalMs)
    addEventListener('online', ping)
    return () => {
      clearInterval(timer)
      removeEventListener('online', ping)
    }
  }, [isOffline])

  async function tryNow() {
    setRetrying(true)
    await ping()
    setRetrying(false)
  }

  return (
    <div role="status" data-chrome>
      {isOffline && (
        <div className="flex animate-fade flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-info-soft px-7 py-2 text-ui phone:px-4">
          <CloudOff aria-hidden size={16} className="shrink-0 text-info" />
          <p className="min-w-0 flex-1 basis-60">
            The server can’t be reached.{' '}
            {oldestReadAt ? `You’re seeing data from ${formatDataTime(oldestReadAt)}` : 'You may be seeing older data'}
            {isPersistent
              ? '; what you write is saved in this browser until the server is back.'
              : '; this browser can’t save anything for later, so keep this page open until the server is back.'}
          </p>
          <Button size="small" variant="plain" busy={isRetrying} onClick={tryNow}>
            Try now
          </Button>
        </div>
      )}
    </div>
  )
}

function formatDataTime(at: string): string {
  const today = formatTime(new Date()) === formatTime(at)
  return formatTime(at, today ? 'time' : 'date-time')
}

function ping(): Promise<unknown> {
  return call(diagnostics.ping).catch(() => undefined)
}
