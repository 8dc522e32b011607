import { FileArchive, Trash2, X } from 'lucide-react'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { formatDocumentCount } from './document-labels.ts'

interface SelectionBarProps {
  count: number
  visibleCount: number
  exporting: boolean
  onAll: () => void
  onExport: () => void
  onDelete: () => void
  onClear: () => void
}

export function SelectionBar({
  count,
  visibleCount,
  exporting,
  onAll,
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
        <Button size="small" variant="plain" onClick={onAll}>
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
