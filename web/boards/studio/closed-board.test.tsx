import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { boardOfTests, changeData, documentOfTests } from '#tests/a-board.ts'
import { makeFrame } from '../document/board-document.ts'
import { UnlessClosed } from './closed-board.tsx'

const saved = documentOfTests('media_card')
const added = { ...makeFrame('process_frame', { position: { x: 0, y: 400 } }), id: 'mine' }
const together = { ...saved, frames: [added, ...saved.frames, { ...added, id: 'theirs' }] }
const document = changeData('mine', { slug: 'frame-a' })(together)
let press = () => {}
type Sent = { body: { frames: { id: string; data: { slug: string } }[] } }
let sent: Sent | undefined

vi.mock('../document/use-board-editor.tsx', () => ({
  useBoard: (select: (state: object) => unknown) => select({ board: boardOfTests(saved), document, dirty: true }),
}))
vi.mock('../together/use-board-room.tsx', () => ({ useRoomState: () => ({ closed: true }) }))
vi.mock('#web/ui/button.tsx', () => ({
  Button: ({ onClick }: { onClick: () => void }) => {
    press = onClick
    return null
  },
}))
vi.mock('#web/api.ts', async (original) => ({
  ...(await original<object>()),
  call: async (_endpoint: object, input: Sent) => {
    sent = input
    return boardOfTests(documentOfTests())
  },
}))

test('saving a closed board as a new one resolves duplicate slugs of unsaved frames', async () => {
  const showBoard = vi.fn()
  renderToStaticMarkup(
    <UnlessClosed isGone deeds={{ showBoard } as never}>
      The board
    </UnlessClosed>,
  )
  press()
  await vi.waitFor(() => expect(showBoard).toHaveBeenCalled())
  expect(sent?.body.frames.map(({ id, data }) => [id, data.slug])).toEqual([
    ['mine', 'frame-a-2'],
    ['a', 'frame-a'],
    ['theirs', 'process-frame'],
  ])
})
