import { Suspense, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'
import { PublicHeader } from '#web/landing/public-header.tsx'
import { SkipLink } from '#web/ui/controls/skip-link.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { DebugLink } from '../page/debug-tab.tsx'
import { PageErrorBoundary } from '../page/page-error-boundary.tsx'
import { useRouteFocus } from '../page/use-route-focus.ts'

/** Open pages under the public header. */
export function VisitorLayout() {
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
