import { useState } from 'react'
import type { ApiError } from '#web/api/api.ts'
import { Spot } from '#web/ui/drawings/spot.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'

export interface SiteFailureProps {
  /** Undefined when the server did not answer. */
  reason: ApiError | undefined
  onRetry: () => unknown
}

export function SiteFailure({ reason, onRetry }: SiteFailureProps) {
  const [retrying, setRetrying] = useState(false)
  async function retry() {
    setRetrying(true)
    await onRetry()
    setRetrying(false)
  }
  if (reason && reason.status < 500)
    return (
      <main className="mx-auto flex min-h-dvh max-w-[560px] flex-col items-center justify-center gap-2 px-4 text-center">
        <Spot name="lamp" width={148} className="mb-2" />
        <h1>Nothing here</h1>
        <p className="text-muted-foreground">There’s no page at this address.</p>
      </main>
    )
  return (
    <main className="mx-auto w-full max-w-[640px] px-4 py-16">
      <h1 className="mb-5">This page couldn’t be opened</h1>
      <ErrorPanel
        title={reason?.message ?? 'The server couldn’t be reached.'}
        onRetry={retry}
        retrying={retrying}
        reason={reason}
      >
        Nothing is lost. Try again in a moment.
      </ErrorPanel>
    </main>
  )
}
