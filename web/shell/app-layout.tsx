import { lazy, Suspense, useRef } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { LoadingText } from '#web/ui/loading-text.tsx'
import { VisitorLayout } from './visitor-layout.tsx'

const AppShell = lazy(() => import('./app-shell.tsx').then((module) => ({ default: module.AppShell })))

interface AppLayoutProps {
  /** Visitors may come in too; they see it under the public header. */
  open?: boolean
  /** The page says itself that one has to sign in, when the server ends the session while it is open. */
  tellsOfEnd?: boolean
}

/** The guard of every signed-in place. One component for both, so that the shell stays when one goes between them. */
export function AppLayout({ open = false, tellsOfEnd = false }: AppLayoutProps) {
  const { isAuthenticated, isLoading, endedByServer, facts } = useAuth()
  const { pathname, search } = useLocation()
  const wasSignedIn = useRef(false)
  const deletesAt = useRef<string>(null)
  if (isLoading) return <LoadingText />
  if (isAuthenticated) {
    wasSignedIn.current = true
    deletesAt.current = facts?.deletesAt ?? null
    return (
      <Suspense fallback={<LoadingText />}>
        <AppShell />
      </Suspense>
    )
  }
  if (open || (tellsOfEnd && endedByServer && wasSignedIn.current)) return <VisitorLayout />
  if (endedByServer && deletesAt.current && Date.parse(deletesAt.current) <= Date.now())
    return <Navigate to="/login?deleted=" replace />
  const here = pathname + search
  if (endedByServer) return <Navigate to={`/login?next=${encodeURIComponent(here)}`} replace />
  // Who comes from outside goes on to where they wanted; who signed out begins anew.
  return <Navigate to="/login" state={wasSignedIn.current ? null : { wanted: here }} replace />
}
