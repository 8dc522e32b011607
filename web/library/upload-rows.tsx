import { CircleAlert, CircleCheck, Copy, HardDrive, X } from 'lucide-react'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import type { StorageSpace } from './store/storage-space.ts'
import type { Upload } from './use-uploads.ts'

interface UploadRowsProps {
  uploads: readonly Upload[]
  onRetry: (upload: Upload) => void
  onUploadAnyway: (upload: Upload) => void
  onDismiss: (id: string) => void
}

export function UploadRows({ uploads, onRetry, onUploadAnyway, onDismiss }: UploadRowsProps) {
  return (
    <>
      {uploads.length > 0 && (
        <ul
          aria-label="Uploads"
          className="mt-4 flex max-h-64 flex-col gap-3 overflow-y-auto border-t border-border pt-3.5"
        >
          {uploads.map((upload) => (
            <li key={upload.id} className="animate-fade">
              <div className="mb-1.5 flex min-h-6 items-center gap-3">
                <span dir="auto" className="min-w-0 flex-1 truncate text-ui font-label">
                  {upload.file.name}
                </span>
                {(upload.isUploading || upload.success) && (
                  <span className="shrink-0 text-ui text-muted-foreground tabular-nums">{upload.progress}%</span>
                )}
                {upload.error && (
                  <IconButton label={`Dismiss ${upload.file.name}`} size="small" onClick={() => onDismiss(upload.id)}>
                    <X aria-hidden size={15} />
                  </IconButton>
                )}
              </div>
              {(upload.isUploading || upload.success) && (
                <ProgressBar
                  label={`Upload of ${upload.file.name}`}
                  value={upload.progress}
                  tone={upload.success ? 'success' : 'ribbon'}
                />
              )}
              <UploadOutcome upload={upload} onRetry={onRetry} onUploadAnyway={onUploadAnyway} onDismiss={onDismiss} />
            </li>
          ))}
        </ul>
      )}
      <div role="log" aria-label="Uploaded files" className="sr-only">
        {uploads
          .filter(({ success }) => success)
          .map(({ id, file }) => (
            <p key={id}>{file.name} uploaded.</p>
          ))}
      </div>
    </>
  )
}

function UploadOutcome({
  upload,
  onRetry,
  onUploadAnyway,
  onDismiss,
}: { upload: Upload } & Pick<UploadRowsProps, 'onRetry' | 'onUploadAnyway' | 'onDismiss'>) {
  const { error, remedy, canRetry, duplicateOf, success } = upload
  if (success)
    return (
      <p aria-hidden className="mt-1.5 flex items-center gap-1.5 text-small text-success">
        <CircleCheck size={14} /> Uploaded
      </p>
    )
  if (duplicateOf !== undefined)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-2 text-ui">
        <Copy aria-hidden size={15} className="text-info" />
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
          This document is already in your library as “{duplicateOf}”.
        </span>
        <Button size="small" onClick={() => onUploadAnyway(upload)}>
          Keep both
        </Button>
        <Button size="small" onClick={() => onDismiss(upload.id)}>
          Skip
        </Button>
      </div>
    )
  if (!error) return null
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 text-ui">
      <CircleAlert aria-hidden size={15} className="text-destructive" />
      <span className="min-w-0 flex-1 basis-56">
        <span className="font-label text-destructive">{error}</span>
        {remedy && <span className="block text-small text-muted-foreground">{remedy}</span>}
      </span>
      {canRetry && <RetryButton onClick={() => onRetry(upload)}>Try again</RetryButton>}
    </div>
  )
}

export function StorageUsage({ space }: { space: StorageSpace | null | undefined }) {
  if (space === undefined) return <p className="mt-2.5 min-h-5" />
  if (space === null)
    return (
      <p className="mt-2.5 text-small text-muted-foreground">
        This browser doesn’t report how much space it has, and may clear documents when the disk is full.
      </p>
    )
  const { used, quota, isPersistent } = space
  return (
    <div className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted-foreground">
      <span className="flex items-center gap-1.5">
        <HardDrive aria-hidden size={14} />
        Using {formatSize(used)} of {formatSize(quota)}
      </span>
      <ProgressBar
        label="Space used in this browser"
        value={Math.round((used / quota) * 100)}
        tone={used / quota > 0.9 ? 'warning' : 'ribbon'}
        className="w-24"
      />
      <span>
        {isPersistent
          ? 'This browser keeps your documents until you delete them or clear its data.'
          : 'If the disk gets full, this browser may clear your documents, so download what matters.'}
      </span>
    </div>
  )
}
