import { Copy, Ellipsis, History, LayoutTemplate, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { isSampleBoard } from '../board-queries.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { untitledBoard } from './studio-texts.ts'
import type { BoardActions } from './use-board-actions.ts'

const VersionsDrawer = lazyComponent(async () => (await import('./versions-drawer.tsx')).default)
const ShareBoardDialog = lazyComponent(async () => (await import('../sharing/share-board-dialog.tsx')).default)
const SaveTemplateDialog = lazyComponent(async () => (await import('./save-template-dialog.tsx')).default)

interface BoardMenuProps {
  actions: BoardActions
  save: () => Promise<boolean>
}

export function BoardMenu({ actions, save }: BoardMenuProps) {
  const { id, may } = useBoard((state) => state.board)
  const name = useBoard(({ document }) => document.config.name) || untitledBoard
  const isDirty = useBoard((state) => state.isDirty)
  const isPhone = useViewportClass() === 'phone'
  const [dialog, setDialog] = useState<'versions' | 'template' | 'share'>()
  if (isSampleBoard(id)) return null
  const close = () => setDialog(undefined)

  /** Copies are made on the server, so unsaved changes are saved first. */
  async function runOnceSaved(action: () => unknown) {
    if (!isDirty || (await save())) await action()
  }

  return (
    <>
      <Menu
        trigger={
          <IconButton label="More for this board" outlined={!isPhone} size={isPhone ? 'small' : 'medium'}>
            <Ellipsis aria-hidden size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<History aria-hidden size={15} />} onSelect={() => setDialog('versions')}>
          Version history
        </MenuItem>
        <MenuItem
          icon={<Copy aria-hidden size={15} />}
          onSelect={() => void runOnceSaved(() => actions.duplicate({ id, name }))}
        >
          Duplicate
        </MenuItem>
        <MenuItem
          icon={<LayoutTemplate aria-hidden size={15} />}
          onSelect={() => void runOnceSaved(() => setDialog('template'))}
        >
          Save as template
        </MenuItem>
        {may === 'owner' && (
          <>
            <MenuItem icon={<Share2 aria-hidden size={15} />} onSelect={() => setDialog('share')}>
              Share
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              danger
              icon={<Trash2 aria-hidden size={15} />}
              onSelect={() => void actions.remove({ id, name }, { isOpen: true })}
            >
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'versions' && <VersionsDrawer save={save} onClose={close} />}
      {dialog === 'share' && <ShareBoardDialog board={{ id, name }} onClose={close} />}
      {dialog === 'template' && <SaveTemplateDialog board={{ id, name }} onClose={close} />}
    </>
  )
}
