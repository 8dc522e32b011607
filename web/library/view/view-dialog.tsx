import { Download, Pencil } from 'lucide-react'
import { useState } from 'react'
import { saveFile } from '#web/files/save-file.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PrintButton } from '#web/ui/controls/print-button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import type { LibraryDocument } from '../documents.ts'
import type { LibraryStore } from '../store/library-store.ts'
import { getFileName } from '../zip/archive-names.ts'
import { DocumentContent } from './document-content.tsx'

interface ViewDialogProps {
  store: LibraryStore
  document: LibraryDocument
  onEdit: () => void
  onClose: () => void
}

export function ViewDialog({ store, document, onEdit, onClose }: ViewDialogProps) {
  const { name, type, size, uploadedAt, description, tags } = document
  const [hasFailed, setHasFailed] = useState(false)

  async function download() {
    setHasFailed(false)
    try {
      // A generic type, so that no browser opens it as a page of this origin.
      const blob = new Blob([await store.readBytes(document)], { type: 'application/octet-stream' })
      saveFile(blob, getFileName(document))
    } catch {
      setHasFailed(true)
    }
  }

  return (
    <Dialog
      open
      printed
      onOpenChange={(open) => !open && onClose()}
      size="wide"
      title={
        <span dir="auto" className="wrap-anywhere">
          {name}
        </span>
      }
      description={`${type}, ${formatSize(size)}, ${formatTime(uploadedAt)}`}
      footer={
        <>
          <ErrorText className="me-auto self-center">{hasFailed && 'The file is no longer in this browser.'}</ErrorText>
          <PrintButton />
          <Button icon={<Pencil aria-hidden size={14} />} onClick={onEdit}>
            Edit info
          </Button>
          <Button variant="primary" icon={<Download aria-hidden size={14} />} onClick={download}>
            Download
          </Button>
        </>
      }
    >
      {(description || tags.length > 0) && (
        <div className="mb-3">
          {description && <p className="wrap-break-word">{description}</p>}
          {tags.length > 0 && <p className="text-small text-muted-foreground wrap-break-word">{tags.join(', ')}</p>}
        </div>
      )}
      <DocumentContent store={store} document={document} />
    </Dialog>
  )
}
