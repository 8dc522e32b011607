import { lazy, Suspense, useRef } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { PublicHeader } from '#web/landing/public-header.tsx'
import { SkipLink } from '#web/ui/controls/skip-link.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { DebugLink } from '../page/debug-pill.tsx'
import { PageErrorBoundary } from '../page/page-error-boundary.tsx'
import { useRouteFocus } from '../page/use-route-focus.ts'

const AppShell = lazy(() => import('./app-shell.tsx').then((module) => ({ default: module.AppShell })))

interface AppLayoutProps {
  /** Visitors get in too, under the public header. */
  open?: boolean
  /** The page itself asks for a sign-in when the server ends the session while it is open. */
  handlesSessionEnd?: boolean
}

/** Guards every signed-in page. One component for both cases, so the shell stays mounted between them. */
export function AppLayout({ open = false, handlesSessionEnd = false }: AppLayoutProps) {
  const { isAuthenticated, isLoading, endedByServer, access } = useAuth()
  const { pathname, search } = useLocation()
  const wasSignedIn = useRef(false)
  const deletesAt = useRef<string>(null)
  if (isLoading) return <LoadingText />
  if (isAuthenticated) {
    wasSignedIn.current = true
    deletesAt.current = access?.deletesAt ?? null
    return (
      <Suspense fallback={<LoadingText />}>
        <AppShell />
      </Suspense>
    )
  }
  if (open || (handlesSessionEnd && endedByServer && wasSignedIn.current)) return <VisitorLayout />
  if (endedByServer && deletesAt.current && Date.parse(deletesAt.current) <= Date.now())
    return <Navigate to="/login?deleted=" replace />
  const currentAddress = pathname + search
  if (endedByServer) return <Navigate to={`/login?next=${encodeURIComponent(currentAddress)}`} replace />
  // A new visitor returns to the requested page after signing in; after a sign-out, start afresh.
  return <Navigate to="/login" state={wasSignedIn.current ? null : { wanted: currentAddress }} replace />
}

function VisitorLayout() {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  useRouteFocus(main)
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader />
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-page flex-1 px-7 pt-7 pb-[72px] outline-hidden phone:px-4 phone:pb-[88px] [&_h1]:outline-hidden"
      >
        <PageErrorBoundary resetKey={pathname}>
          <Suspense fallback={<LoadingText />}>
            <Outlet />
          </Suspense>
        </PageErrorBoundary>
      </main>
      <footer>
        <DebugLink />
      </footer>
    </div>
  )
}
