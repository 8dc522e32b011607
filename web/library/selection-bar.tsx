import { FileArchive, Trash2, X } from 'lucide-react'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { formatDocumentCount, type LibraryDocument } from './documents.ts'
import type { LibraryStore } from './store/library-store.ts'

interface DeleteDocumentsProps {
  store: LibraryStore
  documents: LibraryDocument[] | undefined
  onDeleted: () => void
  onClose: () => void
}

/** Shorter than the store's undo period (ms). */
const undoToastMs = 8000

export function DeleteDocuments({ store, documents = [], onDeleted, onClose }: DeleteDocumentsProps) {
  const [first] = documents
  const isOne = documents.length === 1
  const subject = isOne ? (first?.name ?? '') : formatDocumentCount(documents.length)

  async function remove() {
    const ids = documents.map(({ id }) => id)
    await store.remove(ids)
    onDeleted()
    void showToast(withNames`Deleted ${subject}`, {
      durationMs: undoToastMs,
      onUndo: () => {
        store.restore(ids).then(
          (count) => {
            if (count < ids.length) void showToast('It was too late to restore all of the documents.')
          },
          () => void showToast('The document couldn’t be restored.'),
        )
      },
    })
  }

  return (
    <ConfirmDialog
      open={documents.length > 0}
      onOpenChange={(open) => !open && onClose()}
      title={<span className="wrap-anywhere">Delete {subject}?</span>}
      confirmLabel={isOne ? 'Delete document' : 'Delete documents'}
      onConfirm={remove}
      formatError={() => 'Nothing was deleted, because this browser is blocking changes to its storage.'}
    >
      {isOne
        ? 'Are you sure you want to delete this document?'
        : `Are you sure you want to delete these ${documents.length.toLocaleString('en-US')} documents?`}
      <p className="mt-1 text-muted-foreground">
        Keeper has no other copy. Only the file on your disk remains, if you still have it.
      </p>
    </ConfirmDialog>
  )
}

interface SelectionBarProps {
  count: number
  visibleCount: number
  exporting: boolean
  onSelectAll: () => void
  onExport: () => void
  onDelete: () => void
  onClear: () => void
}

export function SelectionBar({
  count,
  visibleCount,
  exporting,
  onSelectAll,
  onExport,
  onDelete,
  onClear,
}: SelectionBarProps) {
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className="sticky bottom-4 z-10 mx-auto mt-5 flex w-fit max-w-full animate-fade flex-wrap items-center gap-1.5 rounded-xl border border-border bg-popover py-2 ps-4 pe-2 shadow-e3"
    >
      <span role="status" className="me-2 text-ui font-label">
        {formatDocumentCount(count)} selected
      </span>
      {count < visibleCount && (
        <Button size="small" variant="plain" onClick={onSelectAll}>
          Select all {visibleCount.toLocaleString('en-US')}
        </Button>
      )}
      <Button
        size="small"
        busy={exporting}
        busyLabel="Exporting..."
        icon={<FileArchive aria-hidden size={13} />}
        onClick={onExport}
      >
        Export as zip
      </Button>
      <Button size="small" variant="danger-text" icon={<Trash2 aria-hidden size={13} />} onClick={onDelete}>
        Delete
      </Button>
      <IconButton label="Clear selection" size="small" onClick={onClear}>
        <X aria-hidden size={15} />
      </IconButton>
    </div>
  )
}
