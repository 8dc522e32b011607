import { isValidElement, type ReactElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { makeFrame } from '../document/board-document.ts'
import { settingsOf } from './frame-settings.ts'
import { FrameSettingsDialog } from './frame-settings-dialog.tsx'

const frame = makeFrame('media_card', { position: { x: 0, y: 0 }, name: 'Cover' })
const before = settingsOf(frame)
const editor = { id: 'b', canEdit: true }
const clear = vi.fn()
let footer: ReactNode

vi.mock('#web/ui/dialog.tsx', () => ({
  Dialog: (shown: { footer: ReactNode; children: ReactNode }) => {
    footer = shown.footer
    return <div>{shown.children}</div>
  },
}))
vi.mock('../document/use-board-editor.tsx', () => ({
  useBoardEditor: () => editor,
  useBoard: () => [frame],
  useFrame: () => frame,
}))
vi.mock('#web/offline/use-draft.ts', () => ({
  useDraft: () => ({ value: { before, settings: { ...before, name: 'The front page' } }, clear, set() {} }),
}))

type Pressable = ReactElement<{ children?: ReactNode; onClick?: () => void }>
function press(label: string, within: ReactNode = footer): void {
  const parts = [within].flat().filter((part): part is Pressable => isValidElement(part))
  for (const { props } of parts)
    if (props.children === label) props.onClick?.()
    else press(label, props.children)
}

test('who may not change the board any more loses nothing by Close, and is told where it is; Cancel throws it away', () => {
  const onClose = vi.fn()
  const dialog = <FrameSettingsDialog frameId={frame.id} onClose={onClose} />
  editor.canEdit = false
  expect(renderToStaticMarkup(dialog)).toContain('What you typed stays in this browser')
  press('Close')
  expect([onClose.mock.calls.length, clear.mock.calls.length]).toEqual([1, 0])
  editor.canEdit = true
  expect(renderToStaticMarkup(dialog)).not.toContain('You cannot change this board now')
  press('Cancel')
  expect([onClose.mock.calls.length, clear.mock.calls.length]).toEqual([2, 1])
})
