import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { Source } from '#contract/keepers/sources.ts'
import { SourceReader } from './source-reader.tsx'

const createMutation = (error: Error | null) => ({ error, isPending: false, mutate: vi.fn(), reset: vi.fn() })
const changeQuoting = createMutation(null)
const download = createMutation(new Error('The download stopped.'))
let mutations = [changeQuoting, download]
let toggle: ((checked: boolean) => void) | undefined

vi.mock('@tanstack/react-query', async (original) => ({
  ...(await original<object>()),
  useMutation: () => mutations.shift(),
}))
vi.mock('#web/ui/controls/switch.tsx', () => ({
  Switch({ onCheckedChange }: { onCheckedChange: (checked: boolean) => void }) {
    toggle = onCheckedChange
    return null
  },
}))

test('changing who can quote a document removes the error of a failed download', () => {
  mutations = [changeQuoting, download]
  const source = {
    id: 's',
    keeperId: 'k',
    rev: 1,
    kind: 'document',
    sourceKind: 'library',
    title: 'Notes',
    keepable: false,
    occurredAt: '2026-11-20T12:00:00.000Z',
    agentsMayQuote: false,
    messages: [],
    currentMessageId: null,
    file: { id: 'f', mime: 'text/plain', name: 'notes.txt', bytes: 5 },
  } as unknown as Source
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <SourceReader source={source} openedId={null} quotedText="" listPath="/" onDeletingChange={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  toggle?.(true)
  expect(download.reset).toHaveBeenCalledOnce()
  expect(changeQuoting.mutate).toHaveBeenCalledWith(true)
})
