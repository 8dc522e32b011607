import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'

interface ListSourceProps {
  getText: (now: number) => string
  loading: boolean
  problem: string | undefined
  listName: string
  onRefresh: () => void
  refreshing: boolean
  disabled?: boolean
}

export function ListSource({ getText, loading, problem, listName, onRefresh, refreshing, disabled }: ListSourceProps) {
  const now = useCurrentMinute()
  return (
    <div className="mt-1.5 text-small leading-[17px] text-muted-foreground">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        {loading ? (
          <>
            <span role="status" className="sr-only">
              Loading {listName}
            </span>
            <Skeleton className="h-3 w-44" />
          </>
        ) : (
          <span className="min-w-0 wrap-anywhere">{getText(now)}</span>
        )}
        <button
          type="button"
          aria-label={`Refresh ${listName}`}
          aria-disabled={refreshing || undefined}
          disabled={disabled || loading}
          onClick={() => !refreshing && onRefresh()}
          className="-my-0.5 flex min-h-6 items-center gap-1 rounded-xs font-label text-foreground underline underline-offset-2 disabled:opacity-60"
        >
          <RefreshCw aria-hidden size={11} className={classNames(refreshing && 'motion-safe:animate-spin')} />
          {refreshing ? 'Refreshing...' : 'Refresh'}
        </button>
      </div>
      <p aria-live="polite" className="mt-0.5 wrap-anywhere text-warning empty:hidden">
        {problem}
      </p>
    </div>
  )
}

function useCurrentMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(now, Date.now())
}
