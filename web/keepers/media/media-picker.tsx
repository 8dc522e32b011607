import { ArrowLeft, ArrowRight, CloudOff, RotateCcw, X } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import type { MediaKind } from '#contract/keepers/media.ts'
import { Button, type ButtonProps, RetryButton } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { moveItem } from '#web/ui/fields/use-reorder.ts'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import type { PickedMedia, RunningUpload, useUploads } from './form-uploads.ts'
import { getAcceptAttribute } from './media-file.ts'
import { getMediaName, MediaView } from './media-view.tsx'

interface FilePickerProps extends Pick<ButtonProps, 'icon' | 'disabled' | 'children'> {
  kinds: readonly MediaKind[]
  onFiles: (files: File[]) => void
  /** Names a button that shows only its icon. */
  label?: string
}

export function FilePicker({ kinds, onFiles, label, icon, children, disabled }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  function handleChange(event: ChangeEvent<HTMLInputElement>) {
    onFiles([...(event.currentTarget.files ?? [])])
    event.currentTarget.value = ''
  }
  return (
    <>
      <input ref={input} type="file" accept={getAcceptAttribute(kinds)} multiple hidden onChange={handleChange} />
      {label === undefined ? (
        <Button variant="plain" icon={icon} disabled={disabled} onClick={() => input.current?.click()}>
          {children}
        </Button>
      ) : (
        <IconButton label={label} disabled={disabled} onClick={() => input.current?.click()}>
          {icon}
        </IconButton>
      )}
    </>
  )
}

interface MediaPickerProps {
  value: readonly PickedMedia[]
  onValueChange: (value: PickedMedia[]) => void
  uploads: ReturnType<typeof useUploads>
}

/** Lists picked files and running uploads. Files are added through `uploads.add`. */
export function MediaPicker({ value, onValueChange, uploads }: MediaPickerProps) {
  const { running, rejections } = uploads
  if (value.length === 0 && running.length === 0 && rejections.length === 0) return null
  const move = (from: number, to: number) => onValueChange(moveItem(value, from, to))
  return (
    <div className="flex flex-col gap-2">
      {rejections.length > 0 && (
        <div role="alert" className="flex items-start gap-2 text-small font-medium text-destructive">
          <ul className="min-w-0 flex-1 space-y-1 wrap-break-word">
            {rejections.map((message, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two files of one name have the same message
              <li key={index}>{message}</li>
            ))}
          </ul>
          <IconButton label="Dismiss" size="small" onClick={uploads.dismissRejections}>
            <X aria-hidden size={14} />
          </IconButton>
        </div>
      )}
      {value.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-2.5">
          {value.map((media, index) => (
            <li
              key={media.id}
              className={`flex min-w-0 flex-col rounded-md border border-border bg-card ${media.kind === 'image' ? '' : 'col-span-full'}`}
            >
              {media.waits && media.kind !== 'image' ? (
                <span dir="auto" className="truncate p-3 text-ui">
                  {getMediaName(media)}
                </span>
              ) : (
                <MediaView media={media} square={media.kind === 'image'} className="rounded-b-none" />
              )}
              <div className="flex items-center gap-0.5 px-1 py-0.5">
                <span className="min-w-0 flex-1 truncate px-1 text-small text-muted-foreground">
                  {media.waits && <CloudOff aria-hidden size={12} className="me-1 inline" />}
                  {media.waits ? 'Waiting to be sent' : getMediaName(media)}
                </span>
                {value.length > 1 && (
                  <>
                    <IconButton
                      label={`Move ${getMediaName(media)} earlier`}
                      size="small"
                      disabled={index === 0}
                      onClick={() => move(index, index - 1)}
                    >
                      <ArrowLeft aria-hidden size={13} />
                    </IconButton>
                    <IconButton
                      label={`Move ${getMediaName(media)} later`}
                      size="small"
                      disabled={index === value.length - 1}
                      onClick={() => move(index, index + 1)}
                    >
                      <ArrowRight aria-hidden size={13} />
                    </IconButton>
                  </>
                )}
                <IconButton
                  label={`Remove ${getMediaName(media)}`}
                  size="small"
                  onClick={() => onValueChange(value.filter(({ id }) => id !== media.id))}
                >
                  <X aria-hidden size={14} />
                </IconButton>
              </div>
            </li>
          ))}
        </ul>
      )}
      {running.map((upload) => (
        <UploadRow key={upload.id} upload={upload} uploads={uploads} />
      ))}
    </div>
  )
}

function UploadRow({ upload, uploads }: { upload: RunningUpload; uploads: ReturnType<typeof useUploads> }) {
  const { id, name, progress, error } = upload
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-border bg-card px-3 py-2 text-small">
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {name}
      </span>
      {error === undefined ? (
        <ProgressBar label={`Uploading ${name}`} value={Math.round(progress * 100)} className="w-36" />
      ) : (
        <>
          <span role="alert" className="font-medium text-destructive">
            {error}
          </span>
          <RetryButton icon={<RotateCcw aria-hidden size={13} />} onClick={() => uploads.retry(id)} />
        </>
      )}
      <IconButton
        label={error === undefined ? `Stop uploading ${name}` : `Remove ${name}`}
        size="small"
        onClick={() => uploads.stop(id)}
      >
        <X aria-hidden size={14} />
      </IconButton>
    </div>
  )
}

export function getTransferFiles(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])]
}
