import { lazy, useRef } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'

const AppShell = lazy(() => import('./app-shell.tsx').then((module) => ({ default: module.AppShell })))
const VisitorLayout = lazy(() => import('./visitor-layout.tsx').then((module) => ({ default: module.VisitorLayout })))

interface AppLayoutProps {
  allowsVisitors?: boolean
  /** The page itself asks for a sign-in when the server ends the session while it is open. */
  handlesSessionEnd?: boolean
}

/** Guards every signed-in page. One component for pages with and without visitors,
 * so the shell stays mounted when navigating between them. */
export function AppLayout({ allowsVisitors = false, handlesSessionEnd = false }: AppLayoutProps) {
  const { isAuthenticated, isLoading, wasEndedByServer, access } = useAuth()
  const { pathname, search } = useLocation()
  const wasSignedIn = useRef(false)
  const deletesAt = useRef<string>(null)
  if (isLoading) return <LoadingText />
  if (isAuthenticated) {
    wasSignedIn.current = true
    deletesAt.current = access?.deletesAt ?? null
  }
  const canEnter = allowsVisitors || (handlesSessionEnd && wasEndedByServer && wasSignedIn.current)
  if (isAuthenticated || canEnter) return isAuthenticated ? <AppShell /> : <VisitorLayout />
  if (wasEndedByServer && deletesAt.current && Date.parse(deletesAt.current) <= Date.now())
    return <Navigate to="/login?deleted=" replace />
  const currentAddress = pathname + search
  if (wasEndedByServer) return <Navigate to={`/login?next=${encodeURIComponent(currentAddress)}`} replace />
  // A new visitor returns to the requested page after signing in; after a sign-out, start afresh.
  return <Navigate to="/login" state={wasSignedIn.current ? null : { wanted: currentAddress }} replace />
}
