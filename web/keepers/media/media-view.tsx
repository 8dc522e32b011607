import { Download, FileText, RotateCcw } from 'lucide-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import type { Media } from '#contract/keepers/media.ts'
import { getButtonClasses, RetryButton } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { forceDurationDetection } from '#web/ui/text/force-duration-detection.ts'
import { formatClock } from '#web/ui/text/format-clock.ts'
import { heicType } from './showable-picture.ts'
import { useMediaUrl } from './use-media-url.ts'

export type MediaSummary = Pick<Media, 'id' | 'kind' | 'mime'> &
  Partial<Pick<Media, 'name' | 'alt' | 'width' | 'height' | 'durationMs' | 'bytes'>>

interface MediaViewProps {
  media: MediaSummary
  /** The small version of a picture by default. */
  size?: 'small' | 'full'
  /** Crops the media to a square. */
  square?: boolean
  /** Opens a larger view of a picture. */
  onOpen?: () => void
  openLabel?: string
  className?: string
}

/** Loads the media only when it comes near the viewport or is printed. */
export function MediaView({ media, size = 'small', square = false, onOpen, openLabel, className }: MediaViewProps) {
  const containerRef = useRef<HTMLDivElement>(null)
  const isNear = useIsNearViewport(containerRef)
  const { kind, mime, width, height } = media
  const mediaUrl = useMediaUrl(media.id, {
    ...(kind === 'image' && size === 'small' && { size }),
    shouldDecode: mime === heicType,
    enabled: isNear,
  })
  const ratio = kind === 'image' && !square && width && height ? `${width} / ${height}` : undefined
  return (
    <div
      ref={containerRef}
      // Once loaded, the picture itself has the right shape; the declared size can be wrong.
      data-picture-loading={(kind === 'image' && isNear && mediaUrl.state === 'loading') || undefined}
      style={ratio && mediaUrl.state !== 'loaded' ? { aspectRatio: ratio } : undefined}
      className={classNames(
        'relative overflow-hidden',
        kind === 'image' && 'rounded-md bg-muted',
        kind === 'image' && !square && 'max-h-[70vh]',
        square && 'aspect-square',
        className,
      )}
    >
      {mediaUrl.state === 'loaded' && (
        <LoadedMedia media={media} url={mediaUrl.url} square={square} onOpen={onOpen} openLabel={openLabel} />
      )}
      {mediaUrl.state === 'failed' && (
        <div className="flex min-h-16 flex-wrap items-center justify-center gap-2 p-3 text-small text-muted-foreground">
          <span>{getMediaName(media)} couldn’t be loaded.</span>
          <RetryButton icon={<RotateCcw aria-hidden size={13} />} onClick={mediaUrl.retry} />
        </div>
      )}
      {mediaUrl.state === 'loading' && (
        <div className={classNames('animate-pulse rounded-md bg-muted', ratio || square ? 'absolute inset-0' : 'h-14')}>
          <span className="sr-only">Loading {getMediaName(media)}</span>
        </div>
      )}
    </div>
  )
}

interface LoadedMediaProps extends Pick<MediaViewProps, 'media' | 'square' | 'onOpen' | 'openLabel'> {
  url: string
}

function LoadedMedia({ media, url, square = false, onOpen, openLabel }: LoadedMediaProps) {
  const [isBroken, setIsBroken] = useState(false)
  const { kind, alt, width, height, durationMs } = media
  if (kind === 'image' && !isBroken) {
    const picture = (
      <img
        src={url}
        alt={alt ?? ''}
        {...(!square && width && height && { width, height })}
        onError={() => setIsBroken(true)}
        className={classNames(
          'block animate-fade',
          square ? 'size-full object-cover' : 'h-auto max-h-[70vh] w-full object-contain',
        )}
      />
    )
    if (!onOpen) return picture
    return (
      <button
        type="button"
        aria-label={openLabel ?? `Open ${getMediaName(media)}`}
        onClick={onOpen}
        className={classNames(
          'block w-full rounded-md focus-visible:outline-2 focus-visible:-outline-offset-2 print:block!',
          square && 'size-full',
        )}
      >
        {picture}
      </button>
    )
  }
  const playerProps = {
    src: url,
    controls: true,
    preload: 'metadata',
    'aria-label': getMediaName(media),
    onLoadedMetadata: (event: { currentTarget: HTMLMediaElement }) => forceDurationDetection(event.currentTarget),
    onError: () => setIsBroken(true),
  }
  if (kind === 'audio' && !isBroken)
    return (
      <div className="flex items-center gap-2">
        {/* biome-ignore lint/a11y/useMediaCaption: personal recordings have no captions */}
        <audio {...playerProps} className="block h-11 min-w-0 flex-1" />
        {durationMs ? (
          <span className="text-small text-muted-foreground tabular-nums">{formatClock(durationMs / 1000)}</span>
        ) : null}
      </div>
    )
  if (kind === 'video' && !isBroken)
    // biome-ignore lint/a11y/useMediaCaption: personal videos have no captions
    return <video {...playerProps} className="block max-h-[70vh] w-full rounded-md" />
  return (
    <a
      href={url}
      download={media.name ?? getMediaName(media)}
      className="flex min-h-11 items-center gap-2.5 rounded-md border border-border bg-card px-3 py-2 text-ui hover:bg-muted"
    >
      <FileText aria-hidden size={16} className="shrink-0 text-muted-foreground" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate">
          {getMediaName(media)}
        </span>
        {isBroken && <span className="block text-small text-muted-foreground">{explainBroken(media)}</span>}
      </span>
      <Download aria-hidden size={15} className="shrink-0" />
      <span className="sr-only">Save</span>
    </a>
  )
}

const explainBroken = ({ mime }: MediaSummary) =>
  mime === heicType
    ? 'Keeper can’t decode this HEIC picture. Save it to open it elsewhere.'
    : 'This browser can’t show this file.'

const kindNames = { image: 'The picture', audio: 'The recording', video: 'The film', file: 'The file' }
export const getMediaName = ({ kind, alt, name }: MediaSummary): string => alt || name || kindNames[kind]

function useIsNearViewport(containerRef: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  if (usePrinting() && !isNear) setIsNear(true)
  useEffect(() => {
    const element = containerRef.current
    if (!element || isNear) return
    const showIfNear = ([entry]: IntersectionObserverEntry[]) => {
      if (entry?.isIntersecting) setIsNear(true)
    }
    const observer = new IntersectionObserver(showIfNear, { rootMargin: '600px' })
    observer.observe(element)
    return () => observer.disconnect()
  }, [containerRef, isNear])
  return isNear
}

/** A picture that opens to its full view. */
export function OpenablePicture({ media, ...view }: Omit<ComponentProps<typeof MediaView>, 'onOpen' | 'size'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <MediaView {...view} media={media} onOpen={() => setOpen(true)} />
      {isOpen && <PictureDialog picture={media} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Shows the uncropped original of a picture, and a link that saves it. */
function PictureDialog({ picture, onClose }: { picture: MediaSummary; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={getMediaName(picture)}
      size="wide"
      footer={<SaveOriginal media={picture} />}
    >
      <MediaView media={picture} size="full" />
    </Dialog>
  )
}

export function SaveOriginal({ media }: { media: MediaSummary }) {
  const original = useMediaUrl(media.id)
  if (original.state !== 'loaded') return null
  return (
    <a
      href={original.url}
      download={media.name ?? getMediaName(media)}
      className={getButtonClasses({ variant: 'outline', size: 'medium' })}
    >
      <Download aria-hidden size={14} />
      <span>Save the original</span>
    </a>
  )
}
