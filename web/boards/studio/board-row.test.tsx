import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { boardOfTests, documentOfTests } from '#tests/a-board.ts'
import { items } from '#tests/menu-items.tsx'
import { BoardRow } from './board-row.tsx'

vi.mock('#web/ui/menu.tsx', () => import('#tests/menu-items.tsx'))

const document = documentOfTests('media_card')
const board = boardOfTests(document)

/** Returns the calls in order. */
async function duplicated({ dirty, saves = true }: { dirty: boolean; saves?: boolean }) {
  const done: string[] = []
  const editor = { listen: () => () => undefined, seen: () => state }
  const state = { document, dirty }
  const save = async () => {
    done.push('save')
    return saves
  }
  const duplicate = async ({ id }: { id: string }) => void done.push(`copy ${id}`)
  renderToStaticMarkup(
    <MemoryRouter>
      <BoardRow board={board} opened={{ editor, save } as never} isOpen deeds={{ duplicate } as never} />
    </MemoryRouter>,
  )
  items.get('Duplicate')?.()
  await new Promise((resolve) => setTimeout(resolve))
  return done
}

test('duplicating the open board from its row saves it first', async () => {
  expect(await duplicated({ dirty: true })).toEqual(['save', 'copy board'])
  expect(await duplicated({ dirty: false })).toEqual(['copy board'])
})

test('a board that fails to save is not duplicated', async () => {
  expect(await duplicated({ dirty: true, saves: false })).toEqual(['save'])
})
