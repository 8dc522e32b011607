import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { Frame } from '#contract/boards/boards.ts'
import { createBoardDocument } from '#tests/board-fixtures.ts'
import { menuItems } from '#tests/menu-items.tsx'
import { buildFrame } from '../document/board-document.ts'
import BoardExportMenu from './export-menu.tsx'
import { formatMissingPictures } from './frame-details.ts'

const picture = buildFrame('media_card', { position: { x: 0, y: 0 }, name: 'Harbour' })
const content = { ...picture.data.content, mediaId: 'm' }
const frames: Frame[] = [{ ...picture, data: { ...picture.data, content } }]
const document = { ...createBoardDocument(), frames }
const toastSpy = vi.fn()

vi.mock('../document/use-board-editor.tsx', () => ({
  useBoardEditor: () => ({ getSnapshot: () => ({ document }) }),
  useBoard: (select: (state: object) => unknown) => select({ board: { id: 'b' }, document }),
}))
vi.mock('#web/ui/overlays/menu.tsx', () => import('#tests/menu-items.tsx'))
vi.mock('#web/ui/overlays/show-toast.tsx', () => ({ showToast: (...args: unknown[]) => toastSpy(...args) }))
vi.mock('./draw-open-board.ts', async (original) => ({
  ...(await original<object>()),
  printBoard: async () => undefined,
}))
vi.mock('#web/api/api.ts', async (original) => ({
  ...(await original<object>()),
  fetchFile: async () => {
    throw new Error('Boom.')
  },
}))

test('printing reports missing pictures', async () => {
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <BoardExportMenu />
    </QueryClientProvider>,
  )
  menuItems.get('Print or PDF, one page per frame')?.()
  await vi.waitFor(() => expect(toastSpy).toHaveBeenCalled())
  expect(toastSpy.mock.lastCall?.[0]).toBe('1 picture is missing from the print: Harbour.')
})

test('the notice names the first 5 missing pictures', () => {
  expect(formatMissingPictures(['Quay', 'Pier'])).toBe('2 pictures are missing from the export: Quay and Pier.')
  expect(formatMissingPictures(['A', 'B', 'C', 'D', 'E', 'F', 'G'])).toBe(
    '7 pictures are missing from the export: A, B, C, D, E, and 2 more.',
  )
})
