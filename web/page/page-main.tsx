import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { checkConnection, getReachability, onJournalChange } from '#web/api/api-journal.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ErrorBoundary } from '#web/ui/panels/error-boundary.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { useRouteFocus } from './use-route-focus.ts'

/** The main landmark of every layout. A page that fails is replaced until the next one is opened. */
export function PageMain({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  useRouteFocus(main)
  return (
    <main
      ref={main}
      id="main"
      tabIndex={-1}
      className="mx-auto w-full min-w-0 max-w-page flex-1 px-7 pt-7 pb-[72px] outline-hidden phone:px-4 phone:pt-5 phone:pb-[88px] [&_h1]:outline-hidden"
    >
      <ErrorBoundary
        resetKey={pathname}
        onError={(reason, info) => console.error('A page failed', reason, info.componentStack)}
        renderFallback={(reason) => <FailedPage reason={reason} />}
      >
        {children}
      </ErrorBoundary>
    </main>
  )
}

function FailedPage({ reason }: { reason: Error }) {
  const isUnreachable = useSyncExternalStore(onJournalChange, getReachability) !== 'reached'
  useEffect(() => void checkConnection(), [])
  const { heading, title } = describeFailure(reason, isUnreachable)
  return (
    <>
      <h1 className="mb-5">{heading}</h1>
      <ErrorPanel
        title={title}
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

/** Messages of browsers when the code of a page doesn't load. */
const importFailurePattern = /dynamically imported module|module script failed/i

function describeFailure({ message }: Error, isUnreachable: boolean): { heading: string; title: string } {
  const isMissingPart = importFailurePattern.test(message)
  if (!isMissingPart)
    return { heading: 'This page stopped working', title: message || 'The page couldn’t be displayed.' }
  if (isUnreachable)
    return {
      heading: 'A part of this page couldn’t be loaded',
      title: 'The server can’t be reached. Reload when it is back.',
    }
  // A part of an older build is no longer on the server; only a reload helps.
  return { heading: 'Keeper was updated', title: 'This tab still shows the old version.' }
}
