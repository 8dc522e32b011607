import { classNames } from '#web/ui/hooks/class-names.ts'
import { type MediaSummary, MediaView } from '../media/media-view.tsx'
import { OpenablePicture } from '../media/picture-dialog.tsx'

export function MomentMedia({ media }: { media: readonly MediaSummary[] }) {
  const pictures = media.filter(({ kind }) => kind === 'image')
  const otherMedia = media.filter(({ kind }) => kind !== 'image')
  return (
    <>
      {pictures.length > 0 && (
        <div
          className={classNames(
            'mt-2 grid max-w-[38rem] gap-2',
            pictures.length > 1 && 'grid-cols-2',
            pictures.length > 4 && 'desk:grid-cols-3',
          )}
        >
          {pictures.map((picture) => (
            <OpenablePicture key={picture.id} media={picture} square={pictures.length > 1} />
          ))}
        </div>
      )}
      {otherMedia.map((other) => (
        <MediaView key={other.id} media={other} className="mt-2 max-w-[24rem]" />
      ))}
    </>
  )
}
