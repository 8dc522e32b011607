import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { keeperMedia, type Media } from '#contract/keepers/media.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { call } from '#web/api/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { replaceIfUnchanged } from '#web/ui/hooks/replace-if-unchanged.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { useLoadForPrint } from '../list-end.tsx'
import { getMediaName, MediaView, SaveOriginal } from '../media/media-view.tsx'
import { formatLongDay } from './format-day.ts'
import { MomentBody } from './moment-body.tsx'
import { useInvalidateMoments, useMoments } from './moment-queries.ts'

export function MediaWall({ keeper }: { keeper: Keeper }) {
  const momentsQuery = useMoments(keeper, { withMedia: 'true' })
  const [openMedia, setOpenMedia] = useState<{ moment: Moment; media: Media }>()
  const mediaItems = momentsQuery.items.flatMap((moment) => moment.media.map((media) => ({ moment, media })))
  const pictures = mediaItems.filter(({ media }) => media.kind === 'image')
  const otherMedia = mediaItems.filter(({ media }) => media.kind !== 'image')
  useLoadForPrint(momentsQuery, momentsQuery.items.length)
  if (!momentsQuery.data)
    return <QueryStatus query={momentsQuery} title="Pictures couldn’t be loaded" skeletonClassName="h-64" />
  if (mediaItems.length === 0)
    return (
      <EmptyPanel drawing="frames" title="No pictures or recordings yet">
        To add a picture or recording to a moment, press Picture or Sound, drop a file on the moment, or paste a
        picture.
      </EmptyPanel>
    )
  return (
    <>
      <ul
        aria-busy={momentsQuery.isFetchingNextPage}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] gap-2.5"
      >
        {pictures.map(({ moment, media }) => (
          <li key={media.id}>
            <MediaView
              media={media}
              square
              openLabel={`${getMediaName(media)}, ${formatLongDay(moment.localDate)}`}
              onOpen={() => setOpenMedia({ moment, media })}
              className="block w-full rounded-md focus-visible:outline-2 print:block!"
            />
          </li>
        ))}
      </ul>
      {otherMedia.length > 0 && (
        <ul className="mt-6 flex max-w-[38rem] flex-col gap-4">
          {otherMedia.map(({ moment, media }) => (
            <li key={media.id}>
              <p className="mb-1 text-small text-muted-foreground">{formatLongDay(moment.localDate)}</p>
              <MediaView media={media} />
            </li>
          ))}
        </ul>
      )}
      {momentsQuery.hasNextPage && <ShowMore {...momentsQuery} label="Show earlier" size="medium" className="mt-5" />}
      {openMedia && (
        <MediaDialog
          key={openMedia.media.id}
          keeper={keeper}
          {...openMedia}
          onClose={() => setOpenMedia(replaceIfUnchanged<typeof openMedia | undefined>(openMedia, undefined))}
        />
      )}
    </>
  )
}

interface MediaDialogProps {
  keeper: Keeper
  moment: Moment
  media: Media
  onClose: () => void
}

function MediaDialog({ keeper, moment, media, onClose }: MediaDialogProps) {
  const draft = useDraft(`media/${media.id}`, media.alt ?? '')
  const alt = draft.value
  const invalidateMoments = useInvalidateMoments(keeper.id)
  const save = useMutation({
    async mutationFn() {
      await call(keeperMedia.describe, { params: { id: media.id }, body: { alt: alt.trim() || null } })
      await draft.release()
      await invalidateMoments()
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={formatLongDay(moment.localDate)}
      size="large"
      footer={
        <>
          <SaveOriginal media={media} />
          <Button
            disabled={save.isPending}
            onClick={() => {
              draft.clear()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button
            variant="primary"
            onClick={() => save.mutate()}
            busy={save.isPending}
            busyLabel="Saving..."
            disabled={alt === (media.alt ?? '')}
          >
            Save
          </Button>
        </>
      }
    >
      <MediaView media={media} size="full" />
      {moment.body.trim() !== '' && (
        <div className="my-3 font-serif text-read">
          <MomentBody text={moment.body} />
        </div>
      )}
      <TextField
        label="Alternative text"
        help={draft.restored ? 'Draft restored.' : 'Describe the picture for people who can’t see it.'}
        maxLength={1000}
        value={alt}
        error={save.error?.message}
        readOnly={save.isPending}
        onChange={(event) => draft.set(event.currentTarget.value)}
        className="mt-3"
      />
    </Dialog>
  )
}
