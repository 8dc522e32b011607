import { isValidElement, type ReactElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { buildFrame } from '../document/board-document.ts'
import FrameSettingsDialog, { toFrameSettings } from './frame-settings-dialog.tsx'

const frame = buildFrame('media_card', { position: { x: 0, y: 0 }, name: 'Cover' })
const initialSettings = toFrameSettings(frame)
const editor = { id: 'b', canEdit: true }
const clear = vi.fn()
let footer: ReactNode

vi.mock('#web/ui/overlays/dialog.tsx', () => ({
  Dialog: (dialogProps: { footer: ReactNode; children: ReactNode }) => {
    footer = dialogProps.footer
    return <div>{dialogProps.children}</div>
  },
}))
vi.mock('../document/use-board-editor.tsx', () => ({
  useBoardEditor: () => editor,
  useBoard: () => [frame],
  useFrame: () => frame,
}))
vi.mock('#web/offline/use-draft.ts', () => ({
  useDraft: () => ({
    value: { before: initialSettings, settings: { ...initialSettings, name: 'The front page' } },
    clear,
    set() {},
  }),
}))

type Pressable = ReactElement<{ children?: ReactNode; onClick?: () => void }>
function press(label: string, within: ReactNode = footer): void {
  const parts = [within].flat().filter((part): part is Pressable => isValidElement(part))
  for (const { props } of parts)
    if (props.children === label) props.onClick?.()
    else press(label, props.children)
}

test('a draft stays when edit rights are lost, and Cancel discards it', () => {
  const onClose = vi.fn()
  const dialog = <FrameSettingsDialog frameId={frame.id} onClose={onClose} />
  editor.canEdit = false
  expect(renderToStaticMarkup(dialog)).toContain('Your changes are saved in this browser')
  press('Close')
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(clear).not.toHaveBeenCalled()
  editor.canEdit = true
  expect(renderToStaticMarkup(dialog)).not.toContain('You can’t change this board right now')
  press('Cancel')
  expect(onClose).toHaveBeenCalledTimes(2)
  expect(clear).toHaveBeenCalledTimes(1)
})
