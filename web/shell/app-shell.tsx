import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { SkipLink } from '#web/ui/controls/skip-link.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { AppHeader } from './app-header.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { DebugButton } from './debug-pill.tsx'
import { MobileDrawer } from './mobile-drawer.tsx'
import { PageErrorBoundary } from './page-error-boundary.tsx'
import { findPageRoute } from './page-routes.ts'
import { recordPageVisit } from './recent-pages.ts'
import { Sidebar } from './sidebar.tsx'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'
import { useLiveEvents } from './use-live-events.ts'
import { useRouteFocus } from './use-route-focus.ts'
import { useSidebar } from './use-sidebar.ts'
import { useViewMode } from './view-mode-provider.tsx'

// Overlays load on first use. The drawer doesn't: its dialog code is needed by nearly every page anyway.
const Toaster = lazy(() => import('#web/ui/overlays/toaster.tsx').then((module) => ({ default: module.Toaster })))
const CommandPalette = lazy(() =>
  import('./command-palette.tsx').then((module) => ({ default: module.CommandPalette })),
)
const ShortcutsDialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
)
const DebugModal = lazy(() =>
  import('#web/diagnostics/debug-modal.tsx').then((module) => ({ default: module.DebugModal })),
)

const OfflineBars = lazy(() =>
  import('#web/offline/offline-bars.tsx').then((module) => ({ default: module.OfflineBars })),
)

const DeletionBanner = lazy(() =>
  import('./deletion-banner.tsx').then((module) => ({ default: module.DeletionBanner })),
)

type Overlay = 'palette' | 'help' | 'debug' | 'menu'

export function AppShell() {
  const { pathname, key } = useLocation()
  const { user, access, logout } = useAuth()
  const { setMode } = useViewMode()
  const sidebar = useSidebar(pathname === '/studio/board-studio')
  const main = useRef<HTMLElement>(null)
  const [overlayState, setOverlayState] = useState<{ overlay: Overlay; historyKey: string } | null>(null)
  // Any navigation, back and forward included, closes the overlay.
  if (overlayState && overlayState.historyKey !== key && overlayState.historyKey !== getHistoryKey())
    setOverlayState(null)
  const overlay = overlayState?.overlay ?? null
  const openOverlay = (name: Overlay) => setOverlayState({ overlay: name, historyKey: getHistoryKey() })
  const toggleOverlay = (name: Overlay) => (isOpen: boolean) => (isOpen ? openOverlay(name) : setOverlayState(null))

  useLiveEvents()
  useRouteFocus(main)
  useEffect(() => {
    if (findPageRoute(pathname)) recordPageVisit(pathname)
  }, [pathname])
  useKeyboardShortcuts({
    palette: () => toggleOverlay('palette')(overlay !== 'palette'),
    help: () => openOverlay('help'),
    sidebar: sidebar.toggleNarrow,
    mode: setMode,
  })

  return (
    <div className="flex min-h-dvh phone:block">
      <SkipLink />
      <Sidebar sidebar={sidebar} />
      <div className="flex min-w-0 flex-1 flex-col">
        <AppHeader onMenu={() => openOverlay('menu')} onSearch={() => openOverlay('palette')} />
        <ConnectionBanner />
        <Suspense fallback={null}>
          <OfflineBars />
          {access?.deletesAt && <DeletionBanner deletesAt={access.deletesAt} />}
        </Suspense>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="mx-auto w-full min-w-0 max-w-page flex-1 px-7 pt-7 pb-[72px] outline-hidden phone:px-4 phone:pt-5 phone:pb-[88px] [&_h1]:outline-hidden"
        >
          <PageErrorBoundary resetKey={pathname}>
            <Suspense fallback={<LoadingText />}>
              <Outlet />
            </Suspense>
          </PageErrorBoundary>
        </main>
      </div>
      {overlay !== 'menu' && (
        <aside aria-label="Debug">
          <DebugButton onClick={() => openOverlay('debug')} />
        </aside>
      )}
      <Suspense fallback={null}>
        {overlay === 'menu' && <MobileDrawer open onOpenChange={toggleOverlay('menu')} sidebar={sidebar} />}
        {overlay === 'palette' && (
          <CommandPalette
            onOpenChange={toggleOverlay('palette')}
            actions={{
              toggleSidebar: sidebar.toggleNarrow,
              openSystemInformation: () => openOverlay('debug'),
              openShortcuts: () => openOverlay('help'),
              signOut: logout,
            }}
          />
        )}
        {overlay === 'help' && <ShortcutsDialog open onOpenChange={toggleOverlay('help')} />}
        {overlay === 'debug' && <DebugModal open onOpenChange={toggleOverlay('debug')} user={user} />}
      </Suspense>
      <Suspense fallback={null}>
        <Toaster />
      </Suspense>
    </div>
  )
}

/** The router key of the current history entry, which is ahead of the rendered page while that loads. */
function getHistoryKey(): string {
  return (history.state as { key?: string } | null)?.key ?? 'default'
}
