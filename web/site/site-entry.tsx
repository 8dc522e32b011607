import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '#web/shell/query-client.ts'
import { SitePage } from './site-page.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={createQueryClient()}>
    <SitePage />
  </QueryClientProvider>,
)
