import { X } from 'lucide-react'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { describePhotoOrigin, type PhotoOrigin } from '../media/photo-origin.ts'
import { getToday } from './format-day.ts'
import { getLocalNow, type MomentWriting } from './moment-writing.ts'

interface PhotoOriginOfferProps {
  value: MomentWriting
  onValueChange: (change: (value: MomentWriting) => MomentWriting) => void
}

/** Offers the date and place of the first picture whose metadata isn't used yet. Changes the moment only on request. */
export function PhotoOriginOffer({ value, onValueChange }: PhotoOriginOfferProps) {
  const offered = findOffer(value)
  if (!offered) return null
  const { id, origin } = offered
  const { when, place } = origin
  return (
    <fieldset
      aria-label="From the picture"
      className="min-w-0 flex flex-wrap items-center gap-2 rounded-md border border-hairline bg-card px-3 py-1.5 text-ui"
    >
      <span className="min-w-0 flex-1 basis-48 wrap-break-word">{describePhotoOrigin(origin, getToday())}</span>
      {when && (
        <Button size="small" onClick={() => onValueChange((previous) => ({ ...previous, lived: when }))}>
          Use this date
        </Button>
      )}
      {place && (
        <Button size="small" onClick={() => onValueChange((previous) => ({ ...previous, place }))}>
          Use this place
        </Button>
      )}
      <IconButton
        label="Dismiss"
        size="small"
        onClick={() =>
          onValueChange((previous) => ({
            ...previous,
            media: previous.media.map((media) => (media.id === id ? { ...media, origin: undefined } : media)),
          }))
        }
      >
        <X aria-hidden size={14} />
      </IconButton>
    </fieldset>
  )
}

/** Finds the first picture with unused metadata: a date other than the moment's, or a place if the moment has none. */
export function findOffer({
  media,
  lived,
  place,
}: Pick<MomentWriting, 'media' | 'lived' | 'place'>): { id: string; origin: PhotoOrigin } | undefined {
  for (const { id, origin } of media) {
    const isNewDate = origin?.when && (lived ? lived.day : getLocalNow().day) !== origin.when.day
    const unused: PhotoOrigin = {
      ...(isNewDate && { when: origin.when }),
      ...(origin?.place && !place && { place: origin.place }),
    }
    if (unused.when || unused.place) return { id, origin: unused }
  }
  return undefined
}
