import type { ReactNode } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { ErrorBoundary } from '#web/ui/panels/error-boundary.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'

interface PageErrorBoundaryProps {
  /** A change resets the error. */
  resetKey: string
  children: ReactNode
}

export function PageErrorBoundary({ resetKey, children }: PageErrorBoundaryProps) {
  return (
    <ErrorBoundary
      resetKey={resetKey}
      onError={(reason, info) => console.error('A page failed', reason, info.componentStack)}
      renderFallback={(reason) => <FailedPage reason={reason} />}
    >
      {children}
    </ErrorBoundary>
  )
}

function FailedPage({ reason }: { reason: Error }) {
  // A chunk of an older build is no longer on the server; only a reload helps.
  const isOutdated = /dynamically imported module|module script failed/i.test(reason.message)
  return (
    <>
      <h1 className="mb-5">{isOutdated ? 'Keeper was updated' : 'This page stopped working'}</h1>
      <ErrorPanel
        title={
          isOutdated ? 'This tab still shows the old version.' : reason.message || 'The page couldn’t be displayed.'
        }
        details={reason.stack}
        action={
          <Button size="small" variant="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        Everything you saved is safe.
      </ErrorPanel>
    </>
  )
}
