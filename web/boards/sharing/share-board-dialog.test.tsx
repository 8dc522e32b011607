import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { boardsKey } from '../board-queries.ts'
import ShareBoardDialog from './share-board-dialog.tsx'

// Portals aren't rendered on a server.
vi.mock('#web/ui/overlays/dialog.tsx', () => ({ Dialog: ({ children }: { children: ReactNode }) => children }))

test('details of a failed list of shares can be copied', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  const failure = Object.assign(new Error('Try again later.'), { requestId: '01JD0Q7V' })
  const queryFn = () => Promise.reject(failure)
  await queryClient.prefetchQuery({ queryKey: [...boardsKey, 'shares', 'harbour'], queryFn })
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <ShareBoardDialog board={{ id: 'harbour', name: 'Harbour' }} onClose={() => undefined} />
    </QueryClientProvider>,
  )
  expect(html).toContain('Try again later.')
  expect(html).toContain('Copy details')
})
