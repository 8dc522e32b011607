import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { PublicHeader } from '#web/landing/public-header.tsx'
import { SkipLink } from '#web/ui/controls/skip-link.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { DebugLink } from '../page/debug-tab.tsx'
import { PageMain } from '../page/page-main.tsx'

/** Open pages under the public header. */
export function VisitorLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader />
      <PageMain>
        <Suspense fallback={<LoadingText />}>
          <Outlet />
        </Suspense>
      </PageMain>
      <footer>
        <DebugLink />
      </footer>
    </div>
  )
}
