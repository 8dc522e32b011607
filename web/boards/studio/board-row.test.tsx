import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { createBoardDocument, createTestBoard } from '#tests/board-fixtures.ts'
import { menuItems } from '#tests/menu-items.tsx'
import { BoardRow } from './board-row.tsx'

vi.mock('#web/ui/overlays/menu.tsx', () => import('#tests/menu-items.tsx'))

const document = createBoardDocument('media_card')
const board = createTestBoard(document)

/** Returns the calls in order. */
async function duplicateFromRow({ isDirty, canSave = true }: { isDirty: boolean; canSave?: boolean }) {
  const calls: string[] = []
  const editor = { subscribe: () => () => undefined, getSnapshot: () => state }
  const state = { document, isDirty }
  const save = async () => {
    calls.push('save')
    return canSave
  }
  const duplicate = async ({ id }: { id: string }) => void calls.push(`copy ${id}`)
  renderToStaticMarkup(
    <MemoryRouter>
      <BoardRow board={board} openEditor={{ editor, save } as never} isOpen actions={{ duplicate } as never} />
    </MemoryRouter>,
  )
  menuItems.get('Duplicate')?.()
  await new Promise((resolve) => setTimeout(resolve))
  return calls
}

test('duplicating the open board from its row saves it first', async () => {
  expect(await duplicateFromRow({ isDirty: true })).toEqual(['save', 'copy board'])
  expect(await duplicateFromRow({ isDirty: false })).toEqual(['copy board'])
})

test('a board that fails to save is not duplicated', async () => {
  expect(await duplicateFromRow({ isDirty: true, canSave: false })).toEqual(['save'])
})
