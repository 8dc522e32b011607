import { type ReactNode, useState } from 'react'
import { truncate } from '#contract/truncate.ts'
import { getServerMessage } from '#web/api/api.ts'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'

const maxNameLength = 80

/** 'Copy of Harbour', or 'Copy of Harbour 2' if taken (ignoring case), at most 80 characters. */
export function getCopyName(name: string, existingNames: readonly string[]): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`
    const candidate = truncate(`Copy of ${name}`, maxNameLength - suffix.length) + suffix
    if (existingNames.every((other) => other.toLowerCase() !== candidate.toLowerCase())) return candidate
  }
}

interface CatalogOptions<Entry> {
  noun: string
  entries: readonly Entry[] | undefined
  getName: (entry: Entry) => string
  createCopy: (entry: Entry, name: string) => Promise<Entry>
  remove: (entry: Entry) => Promise<unknown>
  reload: () => Promise<unknown>
  deleteWarning: string
}

export type CatalogActions<Entry> = ReturnType<typeof useCatalog<Entry>>

/** Copies and deletes entries of a list, with a notice above it. */
export function useCatalog<Entry>(options: CatalogOptions<Entry>) {
  const { noun, entries = [], getName, createCopy, remove, reload, deleteWarning } = options
  const { showNotice, clearNotice, noticeBanner } = useNotice('mb-4')
  const [entryToDelete, setEntryToDelete] = useState<Entry>()
  const showSuccess = (text: string) => showNotice('success', text)

  async function duplicate(entry: Entry) {
    clearNotice()
    try {
      const copy = await createCopy(entry, getCopyName(getName(entry), entries.map(getName)))
      await reload()
      showSuccess(`Created ${getName(copy)}. You can change it.`)
    } catch (reason) {
      showNotice('error', getServerMessage(reason) ?? `Failed to duplicate ${getName(entry)}`)
    }
  }

  async function removeEntry(entry: Entry) {
    await remove(entry)
    showSuccess(`Deleted ${getName(entry)}.`)
    await reload()
  }

  const dialog = entryToDelete && (
    <DeleteEntryDialog
      name={getName(entryToDelete)}
      confirmLabel={`Delete ${noun}`}
      onDelete={() => removeEntry(entryToDelete)}
      onClose={() => setEntryToDelete(undefined)}
    >
      This can’t be undone. {deleteWarning}
    </DeleteEntryDialog>
  )
  return { showNotice: showSuccess, duplicate, confirmDelete: setEntryToDelete, notices: noticeBanner, dialog }
}

interface DeleteEntryDialogProps {
  name: string
  confirmLabel: string
  /** Rejects with the reason if the entry is still in use. */
  onDelete: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

export function DeleteEntryDialog({ name, confirmLabel, onDelete, onClose, children }: DeleteEntryDialogProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={withNames`Delete ${name}?`}
      confirmLabel={confirmLabel}
      busyLabel="Deleting..."
      onConfirm={onDelete}
      formatError={(reason) => getServerMessage(reason) ?? `Failed to delete ${name}`}
    >
      {children}
    </ConfirmDialog>
  )
}
