import { Ellipsis, Eye, History, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { HistoryDialog, type HistoryDialogProps } from '#web/offline/history-dialog.tsx'
import { IconButton, type IconButtonProps } from '#web/ui/controls/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { ReadByDialog } from '../reads/read-by.tsx'

interface EntryMenuProps extends Pick<IconButtonProps, 'label' | 'size' | 'outlined'> {
  keeperId: string
  entity: Entity
  entry: { id: string }
  history: Pick<HistoryDialogProps, 'fields' | 'getText' | 'onRestore'>
  /** Offers to show which agents read it. */
  showsReads?: boolean
  deleteLabel: string
  onDelete: () => unknown
  children: ReactNode
}

/** Actions on an entry. Entries of a demo keeper have no earlier versions or readers. */
export function EntryMenu(props: EntryMenuProps) {
  const { keeperId, entity, entry, history, showsReads = false, deleteLabel, onDelete, children, ...button } = props
  const [openDialog, setOpenDialog] = useState<'history' | 'reads'>()
  const closeDialog = () => setOpenDialog(undefined)
  return (
    <>
      <Menu
        trigger={
          <IconButton {...button} data-more>
            <Ellipsis aria-hidden size={16} />
          </IconButton>
        }
      >
        {children}
        {!isDemoKeeper(keeperId) && (
          <>
            <MenuItem icon={<History aria-hidden size={15} />} onSelect={() => setOpenDialog('history')}>
              Earlier versions
            </MenuItem>
            {showsReads && (
              <MenuItem icon={<Eye aria-hidden size={15} />} onSelect={() => setOpenDialog('reads')}>
                Read by
              </MenuItem>
            )}
          </>
        )}
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 aria-hidden size={15} />} onSelect={() => void onDelete()}>
          {deleteLabel}
        </MenuItem>
      </Menu>
      <HistoryDialog
        {...history}
        entity={entity}
        id={entry.id}
        current={{ ...entry }}
        open={openDialog === 'history'}
        onOpenChange={closeDialog}
      />
      {openDialog === 'reads' && <ReadByDialog entity={entity} id={entry.id} onClose={closeDialog} />}
    </>
  )
}
