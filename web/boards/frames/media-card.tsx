import { ImagePlus, Replace, X } from 'lucide-react'
import { type ClipboardEvent, useMemo, useRef } from 'react'
import { boardPictureTypes, boardSharing } from '#contract/boards/board-sharing.ts'
import { readContent } from '#contract/boards/frame-content.ts'
import { smallLongSide } from '#contract/keepers/small-version.ts'
import { fetchFile } from '#web/api/api.ts'
import { type MediaSource, MediaSourceContext, toSizeQuery, useMediaUrl } from '#web/keepers/media/use-media-url.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Landscape } from '#web/ui/drawings/landscape.tsx'
import { FileInput, useFileDrop } from '#web/ui/fields/file-input.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import type { FrameBodyProps, FrameContext } from './frame-bodies.ts'
import { FrameProblem } from './frame-query.tsx'
import { usePictureUpload } from './use-picture-upload.ts'

export function MediaCard({ frame, context, changeContent, openSettings }: FrameBodyProps) {
  const content = readContent('media_card', frame.data.content)
  const { mediaId, title, caption, alt, fit } = content
  const canChange = context.mode === 'edit'
  const source = useBoardPictures(context)
  const fileInput = useRef<HTMLInputElement>(null)
  const picture = usePictureUpload(context.boardId, (id) => changeContent({ mediaId: id }))
  const uploadFirst = ([file]: readonly File[]) => {
    if (file) picture.send(file)
  }
  const { isOver, dropProps } = useFileDrop(uploadFirst, canChange)
  function handlePaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files]
    if (!canChange || files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    uploadFirst(files)
  }

  return (
    <figure {...dropProps} onPaste={handlePaste} className="group/media relative flex h-full min-h-0 flex-col">
      <div className="relative min-h-0 grow overflow-hidden bg-ribbon-soft">
        {mediaId && context.mode !== 'sample' ? (
          <MediaSourceContext value={source}>
            <BoardMedia id={mediaId} alt={alt || title} fit={fit} width={frame.data.size.width} />
          </MediaSourceContext>
        ) : (
          <div className="absolute inset-0">
            <Landscape width={300} height={128} seed={frame.id} />
          </div>
        )}
        {isOver && (
          <div className="pointer-events-none absolute inset-0 grid place-items-center border-2 border-dashed border-ring bg-ribbon-soft text-ui font-label text-ribbon-text">
            Drop the picture here
          </div>
        )}
        {canChange && (
          <div className="absolute end-2 top-2 flex gap-1.5 opacity-0 transition-opacity group-focus-within/media:opacity-100 group-hover/media:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
            {mediaId ? (
              <Menu
                trigger={
                  <IconButton label="Change the picture" outlined size="small">
                    <Replace aria-hidden size={14} />
                  </IconButton>
                }
              >
                <MenuItem onSelect={() => fileInput.current?.click()}>Replace picture</MenuItem>
                <MenuItem onSelect={() => changeContent({ fit: fit === 'cover' ? 'contain' : 'cover' })}>
                  {fit === 'cover' ? 'Fit the whole picture' : 'Fill the frame'}
                </MenuItem>
                {openSettings && <MenuItem onSelect={openSettings}>Describe the picture</MenuItem>}
                <MenuItem danger onSelect={() => changeContent({ mediaId: null })}>
                  Remove picture
                </MenuItem>
              </Menu>
            ) : (
              <Button
                size="small"
                icon={<ImagePlus aria-hidden size={14} />}
                title="You can also drop or paste a picture"
                onClick={() => fileInput.current?.click()}
              >
                Add a picture
              </Button>
            )}
          </div>
        )}
      </div>
      {canChange && (
        <FileInput
          ref={fileInput}
          accept={boardPictureTypes.join(',')}
          aria-label="Choose a picture"
          onFiles={uploadFirst}
        />
      )}
      {picture.progress && (
        <div className="flex items-center gap-2 border-t border-hairline px-3 py-2">
          <ProgressBar
            label={`Uploading ${picture.progress.name}`}
            value={Math.round(picture.progress.fraction * 100)}
            className="grow"
          />
          <IconButton label="Stop the upload" size="small" onClick={picture.stop}>
            <X aria-hidden size={14} />
          </IconButton>
        </div>
      )}
      {picture.problem && (
        <div
          role="alert"
          className="flex items-start gap-2 border-t border-hairline bg-destructive-soft px-3 py-2 text-small"
        >
          <span className="min-w-0 grow wrap-break-word">{picture.problem}</span>
          {picture.retry && (
            <Button size="small" onClick={picture.retry}>
              Try Again
            </Button>
          )}
          <IconButton label="Dismiss" size="small" onClick={picture.clearProblem} className="-my-1">
            <X aria-hidden size={14} />
          </IconButton>
        </div>
      )}
      {(title || caption || canChange) && (
        <figcaption className="shrink-0 px-3 py-1.5">
          <EditableLine
            text={title}
            label="Title"
            placeholder="Title"
            maxLength={200}
            canChange={canChange}
            onChange={(text) => changeContent({ title: text }, `title/${frame.id}`)}
            className="font-serif text-[1.0625rem] leading-[1.625rem]"
          />
          {(caption || (canChange && title)) && (
            <EditableLine
              text={caption}
              label="Caption"
              placeholder="Caption"
              maxLength={2000}
              canChange={canChange}
              onChange={(text) => changeContent({ caption: text }, `caption/${frame.id}`)}
              className={classNames(
                'text-small text-muted-foreground',
                !caption && 'hidden group-focus-within/media:block',
              )}
            />
          )}
        </figcaption>
      )}
    </figure>
  )
}

/** Loads board pictures with the session or the link token. */
function useBoardPictures({ boardId, linkToken }: FrameContext): MediaSource {
  return useMemo(
    () => ({
      name: linkToken ? `board-link/${boardId}` : `board/${boardId}`,
      async load(pictureId, size) {
        const query = toSizeQuery(size)
        return linkToken
          ? (await fetchFile(boardSharing.linkedPicture, { body: { token: linkToken, pictureId, ...query } })).blob
          : (await fetchFile(boardSharing.picture, { params: { id: boardId, pictureId }, query })).blob
      },
    }),
    [boardId, linkToken],
  )
}

interface BoardMediaProps {
  id: string
  alt: string
  fit: 'cover' | 'contain'
  /** Width of the frame (px). */
  width: number
}

function BoardMedia({ id, alt, fit, width }: BoardMediaProps) {
  const mediaUrl = useMediaUrl(id, { shouldDecode: true, ...(width <= smallLongSide && { size: 'small' }) })
  if (mediaUrl.state !== 'loaded') {
    if (mediaUrl.state === 'loading') return <Skeleton className="absolute inset-0 rounded-none" />
    return <FrameProblem reason={new Error('The picture couldn’t be loaded.')} onRetry={mediaUrl.retry} />
  }
  return (
    <img
      src={mediaUrl.url}
      alt={alt}
      draggable={false}
      className={classNames('absolute inset-0 size-full', fit === 'cover' ? 'object-cover' : 'object-contain')}
    />
  )
}

interface EditableLineProps {
  text: string
  label: string
  placeholder: string
  maxLength: number
  canChange: boolean
  onChange: (text: string) => void
  className: string
}

function EditableLine({ text, label, placeholder, maxLength, canChange, onChange, className }: EditableLineProps) {
  if (!canChange)
    return text === '' ? null : (
      <p dir="auto" className={classNames('wrap-break-word', className)}>
        {text}
      </p>
    )
  return (
    <input
      aria-label={label}
      placeholder={placeholder}
      value={text}
      maxLength={maxLength}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
      className={classNames(
        'block w-full truncate rounded-xs bg-transparent outline-none placeholder:text-muted-foreground focus-visible:shadow-halo',
        className,
      )}
    />
  )
}
