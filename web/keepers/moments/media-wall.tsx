import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { keeperMedia, type Media } from '#contract/keepers/media.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { call } from '#web/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { ifStill } from '#web/ui/if-still.ts'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { MediaView, nameOf } from '../media/media-view.tsx'
import { longDay } from './day-words.ts'
import { MomentBody } from './moment-markdown.tsx'
import { useMoments, useMomentsChanged } from './moment-queries.ts'

export function MediaWall({ keeper }: { keeper: Keeper }) {
  const found = useMoments(keeper, { withMedia: 'true' })
  const [open, setOpen] = useState<{ moment: Moment; media: Media }>()
  const shown = found.items.flatMap((moment) => moment.media.map((media) => ({ moment, media })))
  const pictures = shown.filter(({ media }) => media.kind === 'image')
  const others = shown.filter(({ media }) => media.kind !== 'image')
  if (found.isPending) return <Skeleton className="h-64" />
  if (found.error && shown.length === 0)
    return <ErrorPanel reason={found.error} title="The pictures could not be loaded." onRetry={() => found.refetch()} />
  if (shown.length === 0)
    return (
      <EmptyPanel drawing="frames" title="No pictures or recordings yet">
        Add one to a moment: press Picture or Sound, drop a file on it, or paste a picture.
      </EmptyPanel>
    )
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(160px,100%),1fr))] gap-2.5">
        {pictures.map(({ moment, media }) => (
          <li key={media.id}>
            <button
              type="button"
              aria-label={`${nameOf(media)}, ${longDay(moment.localDate)}`}
              onClick={() => setOpen({ moment, media })}
              className="block w-full rounded-md focus-visible:outline-2"
            >
              <MediaView media={media} square />
            </button>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <ul className="mt-6 flex max-w-[38rem] flex-col gap-4">
          {others.map(({ moment, media }) => (
            <li key={media.id}>
              <p className="mb-1 text-small text-muted-foreground">{longDay(moment.localDate)}</p>
              <MediaView media={media} />
            </li>
          ))}
        </ul>
      )}
      {found.hasNextPage && <ShowMore {...found} label="Earlier ones" size="medium" className="mt-5" />}
      {open && (
        <Shown
          key={open.media.id}
          keeper={keeper}
          {...open}
          onClose={() => setOpen(ifStill<typeof open | undefined>(open, undefined))}
        />
      )}
    </>
  )
}

interface ShownProps {
  keeper: Keeper
  moment: Moment
  media: Media
  onClose: () => void
}

/** A picture with its moment's text and an editable alt text. */
function Shown({ keeper, moment, media, onClose }: ShownProps) {
  const draft = useDraft(`media/${media.id}`, media.alt ?? '')
  const alt = draft.value
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState('')
  const changed = useMomentsChanged(keeper.id)
  async function save() {
    setSaving(true)
    setError('')
    try {
      await call(keeperMedia.describe, { params: { id: media.id }, body: { alt: alt.trim() || null } })
      await draft.letGo()
      await changed()
      onClose()
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setSaving(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={longDay(moment.localDate)}
      size="large"
      footer={
        <>
          <Button
            disabled={saving}
            onClick={() => {
              draft.clear()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button
            variant="primary"
            onClick={save}
            busy={saving}
            busyLabel="Saving..."
            disabled={alt === (media.alt ?? '')}
          >
            Save
          </Button>
        </>
      }
    >
      <MediaView media={media} />
      {moment.body.trim() !== '' && (
        <div className="my-3 font-serif text-read">
          <MomentBody text={moment.body} />
        </div>
      )}
      <TextField
        label="What it shows"
        help={draft.restored ? 'Draft restored.' : 'Describe it for people who can’t see it.'}
        maxLength={1000}
        value={alt}
        error={error}
        readOnly={saving}
        onChange={(event) => draft.set(event.currentTarget.value)}
        className="mt-3"
      />
    </Dialog>
  )
}
