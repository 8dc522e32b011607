import { Download } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { getButtonClasses } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { getMediaName, type MediaSummary, MediaView } from './media-view.tsx'
import { useMediaUrl } from './use-media-url.ts'

/** A picture that opens to its full view. */
export function OpenablePicture({ media, ...view }: Omit<ComponentProps<typeof MediaView>, 'onOpen' | 'size'>) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <MediaView {...view} media={media} onOpen={() => setOpen(true)} />
      {open && <PictureDialog picture={media} onClose={() => setOpen(false)} />}
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
