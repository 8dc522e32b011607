import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { AuthProvider } from './accounts/auth-provider.tsx'
import { readStoredSession } from './accounts/stored-session.ts'
import { PersonText } from './agents/agent-text.tsx'
import { setDemoServer, setReadCache } from './api/api.ts'
import { captureConsoleErrors } from './diagnostics/console-journal.ts'
import { readCache } from './offline/cached-reads.ts'
import { createQueryClient } from './page/query-client.ts'
import { ViewModeProvider } from './page/view-mode-provider.tsx'
import { AppRoutes, preloadPage } from './routes.tsx'
import { SignedInTheme } from './shell/signed-in-theme.tsx'
import { blockReservedKeys } from './ui/fields/field-keys.ts'
import { WrittenTextRenderer } from './ui/text/written-text.tsx'

captureConsoleErrors()
setReadCache(readCache)
setDemoServer(async () => (await import('./keepers/demo/demo-server.ts')).answerDemoCall)
blockReservedKeys()
if (readStoredSession()) preloadPage(location.pathname)

// Neither is needed for the first paint.
void import('./page/dock-debug-tab.ts').then(({ dockDebugTab }) => dockDebugTab())
void import('./page/survive-translation.ts').then(({ surviveTranslation }) => surviveTranslation())

createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={createQueryClient()}>
    <AuthProvider>
      <ViewModeProvider>
        <SignedInTheme>
          <BrowserRouter>
            <WrittenTextRenderer value={PersonText}>
              <AppRoutes />
            </WrittenTextRenderer>
          </BrowserRouter>
        </SignedInTheme>
      </ViewModeProvider>
    </AuthProvider>
  </QueryClientProvider>,
)
