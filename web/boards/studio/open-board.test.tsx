import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { changeFrameData, createBoardDocument, createTestBoard } from '#tests/board-fixtures.ts'
import { buildFrame } from '../document/board-document.ts'
import { ClosedBoardGuard } from './open-board.tsx'

const saved = createBoardDocument('media_card')
const added = { ...buildFrame('process_frame', { position: { x: 0, y: 400 } }), id: 'mine' }
const merged = { ...saved, frames: [added, ...saved.frames, { ...added, id: 'theirs' }] }
const document = changeFrameData('mine', { slug: 'frame-a' })(merged)
let press = () => {}
type SaveRequest = { body: { frames: { id: string; data: { slug: string } }[] } }
let saveRequest: SaveRequest | undefined

vi.mock('../document/use-board-editor.tsx', () => ({
  useBoard: (select: (state: object) => unknown) => select({ board: createTestBoard(saved), document, isDirty: true }),
}))
vi.mock('../together/use-board-session.tsx', () => ({ useBoardSessionState: () => ({ isClosed: true }) }))
vi.mock('#web/ui/controls/button.tsx', () => ({
  Button: ({ onClick }: { onClick: () => void }) => {
    press = onClick
    return null
  },
}))
vi.mock('#web/api/api.ts', async (original) => ({
  ...(await original<object>()),
  call: async (_endpoint: object, input: SaveRequest) => {
    saveRequest = input
    return createTestBoard(createBoardDocument())
  },
}))

test('saving a closed board as a new one resolves duplicate slugs of unsaved frames', async () => {
  const showBoard = vi.fn()
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <ClosedBoardGuard isNotFound actions={{ showBoard } as never}>
        The board
      </ClosedBoardGuard>
    </QueryClientProvider>,
  )
  press()
  await vi.waitFor(() => expect(showBoard).toHaveBeenCalled())
  expect(saveRequest?.body.frames.map(({ id, data }) => [id, data.slug])).toEqual([
    ['mine', 'frame-a-2'],
    ['a', 'frame-a'],
    ['theirs', 'process-frame'],
  ])
})
