import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { myDomainsQuery } from '#web/queries/use-my-domains.ts'
import { boardsKey } from '../board-queries.ts'
import ShareBoardDialog from './share-board-dialog.tsx'

let confirmRevoke: (() => Promise<unknown>) | undefined
vi.mock('#web/ui/overlays/dialog.tsx', async (original) => ({
  ...(await original<object>()),
  Dialog: ({ children }: { children: ReactNode }) => children,
}))
vi.mock('#web/ui/overlays/confirm-dialog.tsx', () => ({
  ConfirmDialog({ onConfirm }: { onConfirm: () => Promise<unknown> }) {
    confirmRevoke = onConfirm
    return null
  },
}))
vi.mock('#web/api/api.ts', async (original) => ({
  ...(await original<object>()),
  call: () => Promise.reject(new Error('Boom.')),
}))

test('a failed revocation is reported only in its confirmation', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const link = { link: 'https://keeper.example/b/1', madeAt: '2026-11-20T12:00:00.000Z', openedAt: null }
  queryClient.setQueryData([...boardsKey, 'shares', 'b'], { domains: [], link } as never)
  queryClient.setQueryData(myDomainsQuery.queryKey, [])
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <ShareBoardDialog board={{ id: 'b', name: 'Harbour' }} onClose={() => undefined} />
    </QueryClientProvider>,
  )
  await expect(confirmRevoke?.()).rejects.toThrow('Boom.')
  expect(queryClient.getMutationCache().find({ status: 'error' })).toBeUndefined()
})
