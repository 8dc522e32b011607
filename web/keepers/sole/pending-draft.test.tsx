import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { SoleVersion } from '#contract/keepers/sole.ts'
import { ApiError } from '#web/api/api.ts'
import { PendingDraft } from './pending-draft.tsx'
import { type SoleParts, SolePartsProvider } from './use-sole.ts'

let error: Error | undefined
vi.mock('@tanstack/react-query', async (original) => ({
  ...(await original<object>()),
  useMutation: () => ({ error, isPending: false, mutate: () => undefined, reset: () => undefined }),
}))

const draft = { keeperId: 'k', version: 1, type: 'narrative', statements: [], content: '', author: '' }
const parts = { useRun: () => ({ status: undefined }) } as unknown as SoleParts

function renderDraft(reason: Error): string {
  error = reason
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <SolePartsProvider value={parts}>
          <PendingDraft
            draft={draft as unknown as SoleVersion}
            activeVersion={undefined}
            canOpenSources={false}
            onDecided={() => undefined}
          />
        </SolePartsProvider>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('a failed approval without a reason shows only its title', () => {
  const withoutReason = renderDraft(new ApiError({ status: 502, statusText: 'Bad Gateway' }, ''))
  expect(withoutReason).toContain('Failed to approve SOLE draft')
  expect(withoutReason).not.toContain('<p></p>')
  expect(renderDraft(new Error('The server couldn’t be reached.'))).toContain('<p>The server couldn’t be reached.</p>')
})
