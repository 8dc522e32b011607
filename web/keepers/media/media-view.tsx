import { Download, FileText, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Media } from '#contract/keepers/media.ts'
import { classNames } from '#web/ui/class-names.ts'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { useMediaUrl } from './use-media-url.ts'

export type MediaSummary = Pick<Media, 'id' | 'kind' | 'mime'> &
  Partial<Pick<Media, 'name' | 'alt' | 'width' | 'height' | 'durationMs' | 'bytes'>>

interface MediaViewProps {
  media: MediaSummary
  /** Crops the media to a square. */
  square?: boolean
  className?: string
}

/** Loads the media only when it comes near the viewport. */
export function MediaView({ media, square = false, className }: MediaViewProps) {
  const containerRef = useRef<HTMLDivElement>(null)
  const isNear = useNear(containerRef)
  const mediaUrl = useMediaUrl(media.id, isNear)
  const { kind, width, height } = media
  const shape = kind === 'image' && !square && width && height ? `${width} / ${height}` : undefined
  return (
    <div
      ref={containerRef}
      style={shape ? { aspectRatio: shape } : undefined}
      className={classNames(
        'relative overflow-hidden',
        kind === 'image' && 'rounded-md bg-muted',
        square && 'aspect-square',
        className,
      )}
    >
      {mediaUrl.state === 'loaded' ? (
        <LoadedMedia media={media} url={mediaUrl.url} square={square} />
      ) : mediaUrl.state === 'failed' ? (
        <div className="flex min-h-16 flex-wrap items-center justify-center gap-2 p-3 text-small text-muted-foreground">
          <span>{getMediaName(media)} couldn’t be loaded.</span>
          <RetryButton icon={<RotateCcw aria-hidden size={13} />} onClick={mediaUrl.retry} />
        </div>
      ) : (
        <div className={classNames('animate-pulse rounded-md bg-muted', shape || square ? 'absolute inset-0' : 'h-14')}>
          <span className="sr-only">Loading {getMediaName(media)}</span>
        </div>
      )}
    </div>
  )
}

function LoadedMedia({ media, url, square }: { media: MediaSummary; url: string; square: boolean }) {
  const [isBroken, setIsBroken] = useState(false)
  const { kind, alt } = media
  if (kind === 'image' && !isBroken)
    return (
      <img
        src={url}
        alt={alt ?? ''}
        onError={() => setIsBroken(true)}
        className={classNames(
          'block animate-fade',
          square ? 'size-full object-cover' : 'h-auto max-h-[70vh] w-full object-contain',
        )}
      />
    )
  if (kind === 'audio' && !isBroken)
    return (
      // biome-ignore lint/a11y/useMediaCaption: personal recordings have no captions
      <audio
        src={url}
        controls
        preload="metadata"
        aria-label={getMediaName(media)}
        onError={() => setIsBroken(true)}
        className="block h-11 w-full"
      />
    )
  if (kind === 'video' && !isBroken)
    return (
      // biome-ignore lint/a11y/useMediaCaption: personal videos have no captions
      <video
        src={url}
        controls
        preload="metadata"
        aria-label={getMediaName(media)}
        onError={() => setIsBroken(true)}
        className="block max-h-[70vh] w-full rounded-md"
      />
    )
  return (
    <a
      href={url}
      download={media.name ?? getMediaName(media)}
      className="flex min-h-11 items-center gap-2.5 rounded-md border border-border bg-card px-3 py-2 text-ui hover:bg-muted"
    >
      <FileText aria-hidden size={16} className="shrink-0 text-muted-foreground" />
      <span className="min-w-0 flex-1 truncate">
        {getMediaName(media)}
        {isBroken && <span className="block text-small text-muted-foreground">This browser can’t show this file.</span>}
      </span>
      <Download aria-hidden size={15} className="shrink-0" />
      <span className="sr-only">Save</span>
    </a>
  )
}

const kindNames = { image: 'The picture', audio: 'The recording', video: 'The film', file: 'The file' }
export const getMediaName = ({ kind, alt, name }: MediaSummary): string => alt || name || kindNames[kind]

function useNear(containerRef: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    const element = containerRef.current
    if (!element || isNear) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsNear(true), {
      rootMargin: '600px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [containerRef, isNear])
  return isNear
}
