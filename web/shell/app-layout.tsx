import { lazy, Suspense } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { LoadingText } from '#web/ui/loading-text.tsx'
import { VisitorLayout } from './visitor-layout.tsx'

const AppShell = lazy(() => import('./app-shell.tsx').then((module) => ({ default: module.AppShell })))

interface AppLayoutProps {
  /** Visitors may come in too; they see it under the public header. */
  open?: boolean
}

/** The guard of every signed-in place. One component for both, so that the shell stays when one goes between them. */
export function AppLayout({ open = false }: AppLayoutProps) {
  const { isAuthenticated, isLoading, endedByServer } = useAuth()
  const { pathname, search } = useLocation()
  if (isLoading) return <LoadingText />
  if (isAuthenticated) {
    return (
      <Suspense fallback={<LoadingText />}>
        <AppShell />
      </Suspense>
    )
  }
  if (open) return <VisitorLayout />
  const next = endedByServer ? `?next=${encodeURIComponent(pathname + search)}` : ''
  return <Navigate to={`/login${next}`} replace />
}
