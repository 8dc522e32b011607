import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { AuthProvider } from './accounts/auth-provider.tsx'
import { letReadsBeKept } from './api.ts'
import { keepConsoleErrors } from './diagnostics/console-journal.ts'
import { readsKeeper } from './offline/reads-keeper.ts'
import { AppRoutes } from './routes.tsx'
import { createQueryClient } from './shell/query-client.ts'
import { SignedInTheme } from './shell/signed-in-theme.tsx'
import { ViewModeProvider } from './shell/view-mode-provider.tsx'
import { keepKeys } from './ui/keep-keys.ts'

keepConsoleErrors()
letReadsBeKept(readsKeeper)
keepKeys()

createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={createQueryClient()}>
    <AuthProvider>
      <ViewModeProvider>
        <SignedInTheme>
          <BrowserRouter>
            <AppRoutes />
          </BrowserRouter>
        </SignedInTheme>
      </ViewModeProvider>
    </AuthProvider>
  </QueryClientProvider>,
)
