import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { formatDocumentCount } from './document-labels.ts'
import type { LibraryDocument } from './documents.ts'
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
  const [error, setError] = useState<string>()
  const [first] = documents
  const isOne = documents.length === 1
  const subject = isOne ? (first?.name ?? '') : formatDocumentCount(documents.length)

  async function remove() {
    setError(undefined)
    const ids = documents.map(({ id }) => id)
    try {
      await store.remove(ids)
    } catch (reason) {
      setError('Nothing was deleted, because this browser is blocking changes to its storage.')
      throw reason
    }
    onDeleted()
    void showToast(`Deleted ${subject}`, {
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
      onOpenChange={(open) => {
        if (open) return
        setError(undefined)
        onClose()
      }}
      title={<span className="wrap-anywhere">Delete {subject}?</span>}
      confirmLabel={isOne ? 'Delete document' : 'Delete documents'}
      onConfirm={remove}
      error={error}
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
