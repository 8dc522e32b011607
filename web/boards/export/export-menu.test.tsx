import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { Frame } from '#contract/boards/boards.ts'
import { documentOfTests } from '#tests/a-board.ts'
import { items } from '#tests/menu-items.tsx'
import { makeFrame } from '../document/board-document.ts'
import { ExportMenu } from './export-menu.tsx'
import { leftOutNote } from './known-of-frames.ts'

const picture = makeFrame('media_card', { position: { x: 0, y: 0 }, name: 'Harbour' })
const content = { ...picture.data.content, mediaId: 'm' }
const frames: Frame[] = [{ ...picture, data: { ...picture.data, content } }]
const document = { ...documentOfTests(), frames }
const told = vi.fn()

vi.mock('../document/use-board-editor.tsx', () => ({
  useBoardEditor: () => ({ seen: () => ({ document }) }),
  useBoard: (select: (state: object) => unknown) => select({ board: { id: 'b' }, document }),
}))
vi.mock('#web/ui/menu.tsx', () => import('#tests/menu-items.tsx'))
vi.mock('#web/ui/show-toast.tsx', () => ({ showToast: (...words: unknown[]) => told(...words) }))
vi.mock('./print-board.ts', () => ({ printBoard: async () => undefined }))
vi.mock('#web/api.ts', async (original) => ({
  ...(await original<object>()),
  fetchFile: async () => {
    throw new Error('Boom.')
  },
}))

test('printing reports missing pictures', async () => {
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <ExportMenu />
    </QueryClientProvider>,
  )
  items.get('Print or PDF, a page per frame')?.()
  await vi.waitFor(() => expect(told).toHaveBeenCalled())
  expect(told.mock.lastCall?.[0]).toBe('1 picture is missing from the print: Harbour.')
})

test('names the first 5 missing pictures', () => {
  expect(leftOutNote(['Quay', 'Pier'])).toBe('2 pictures are missing from the export: Quay and Pier.')
  expect(leftOutNote(['A', 'B', 'C', 'D', 'E', 'F', 'G'])).toBe(
    '7 pictures are missing from the export: A, B, C, D, E, and 2 more.',
  )
})
