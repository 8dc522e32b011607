import { CloudOff, PanelLeftClose } from 'lucide-react'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { checkConnection, getReachability, onForeignAnswer, onJournalChange } from '#web/api/api-journal.ts'
import { getStorageStatus, onStorageStatusChange } from '#web/offline/local-store.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SkipLink } from '#web/ui/controls/skip-link.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { DebugButton } from '../page/debug-tab.tsx'
import { PageMain } from '../page/page-main.tsx'
import { findPageRoute } from '../page/page-routes.ts'
import { useLiveEvents } from '../page/use-live-events.ts'
import { useViewMode } from '../page/view-mode-provider.tsx'
import { AppHeader } from './app-header.tsx'
import { Brand, Sidebar, SidebarContent, type SidebarState, useSidebar } from './sidebar.tsx'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'

const pingIntervalMs = 5000

/** Pings the server every 5 s while the last call failed to reach it. */
function ConnectionBanner() {
  const connection = useSyncExternalStore(onJournalChange, getReachability)
  const { oldestReadAt, isPersistent } = useSyncExternalStore(onStorageStatusChange, getStorageStatus)
  const [isRetrying, setRetrying] = useState(false)
  const isOffline = connection !== 'reached'
  const needsSignOn = connection === 'sign-on'

  useEffect(() => {
    if (!isOffline) return onForeignAnswer(checkConnection)
    void checkConnection()
    const timer = setInterval(checkConnection, pingIntervalMs)
    addEventListener('online', checkConnection)
    return () => {
      clearInterval(timer)
      removeEventListener('online', checkConnection)
    }
  }, [isOffline])

  async function tryNow() {
    if (needsSignOn) return location.reload()
    setRetrying(true)
    await checkConnection()
    setRetrying(false)
  }

  return (
    <div role="status" data-chrome>
      {isOffline && (
        <div className="flex animate-fade flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-info-soft px-7 py-2 text-ui phone:px-4">
          <CloudOff aria-hidden size={16} className="shrink-0 text-info" />
          <p className="min-w-0 flex-1 basis-60">
            {needsSignOn ? 'Sign in again: reload this page.' : 'The server can’t be reached.'}{' '}
            {oldestReadAt ? `You’re seeing data from ${formatDataTime(oldestReadAt)}` : 'You may be seeing older data'}
            {isPersistent
              ? '; what you write is saved in this browser until the server is back.'
              : '; this browser can’t save anything for later, so keep this page open until the server is back.'}
          </p>
          <Button size="small" variant="plain" busy={isRetrying} onClick={tryNow}>
            {needsSignOn ? 'Reload' : 'Try now'}
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
  const { pathname, search, key } = useLocation()
  const { user, access, logout } = useAuth()
  const { setMode } = useViewMode()
  const sidebar = useSidebar(/^(\/studio)?\/board-studio$/.test(pathname))
  const [overlayState, setOverlayState] = useState<{ overlay: Overlay; historyKey: string } | null>(null)
  // Any navigation, back and forward included, closes the overlay.
  if (overlayState && overlayState.historyKey !== key && overlayState.historyKey !== getHistoryKey())
    setOverlayState(null)
  const overlay = overlayState?.overlay ?? null
  const openOverlay = (name: Overlay) => setOverlayState({ overlay: name, historyKey: getHistoryKey() })
  const toggleOverlay = (name: Overlay) => (isOpen: boolean) => (isOpen ? openOverlay(name) : setOverlayState(null))

  useLiveEvents()
  useEffect(() => {
    // If the import fails, the palette just shows fewer recent pages.
    if (findPageRoute(pathname))
      import('./recent-pages.ts').then(
        ({ getPageAddress, recordPageVisit }) => recordPageVisit(getPageAddress({ pathname, search })),
        () => undefined,
      )
  }, [pathname, search])
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
        <AppHeader onOpenMenu={() => openOverlay('menu')} onOpenSearch={() => openOverlay('palette')} />
        <ConnectionBanner />
        <Suspense fallback={null}>
          <OfflineBars />
          {access?.deletesAt && <DeletionBanner deletesAt={access.deletesAt} />}
        </Suspense>
        <PageMain>
          <Suspense fallback={<LoadingText />}>
            <Outlet />
          </Suspense>
        </PageMain>
      </div>
      {overlay !== 'menu' && (
        <aside aria-label="Debug">
          <DebugButton onClick={() => openOverlay('debug')} />
        </aside>
      )}
      <Suspense fallback={null}>
        {overlay === 'menu' && <MobileDrawer onOpenChange={toggleOverlay('menu')} sidebar={sidebar} />}
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
        {overlay === 'help' && <ShortcutsDialog onOpenChange={toggleOverlay('help')} />}
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

interface MobileDrawerProps {
  onOpenChange: (open: boolean) => void
  sidebar: SidebarState
}

function MobileDrawer({ onOpenChange, sidebar }: MobileDrawerProps) {
  return (
    <Drawer open onOpenChange={onOpenChange} title="Menu" titleHidden side="left">
      <div className="flex h-full flex-col bg-sidebar text-ui text-sidebar-foreground">
        <div className="flex h-14 shrink-0 items-center ps-5 pe-3">
          <Brand />
          <IconButton label="Close menu" onClick={() => onOpenChange(false)} className="ms-auto">
            <PanelLeftClose aria-hidden size={16} />
          </IconButton>
        </div>
        <SidebarContent sidebar={sidebar} drawer />
      </div>
    </Drawer>
  )
}
