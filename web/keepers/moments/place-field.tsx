import { LocateFixed, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { describePhotoOrigin, type PhotoOrigin, roundDegrees } from '../media/photo-origin.ts'
import { getToday } from './format-day.ts'
import { getLocalNow, type LocalDateTime, type MomentDraft } from './moment-draft.ts'

const formatCoordinates = (lat: number, lng: number) => `${lat.toFixed(3)}, ${lng.toFixed(3)}`

type MomentPlace = MomentDraft['place']

interface PlaceFieldProps {
  value: MomentPlace
  /** Takes an updater, because a name can be typed while the position is being located. */
  onValueChange: (change: (value: MomentPlace) => MomentPlace) => void
}

/** Locates the position only on request. */
export function PlaceField({ value, onValueChange }: PlaceFieldProps) {
  const [isLocating, setLocating] = useState(false)
  const [errorMessage, setErrorMessage] = useState('')
  const positionText = value?.lat != null && value.lng != null ? formatCoordinates(value.lat, value.lng) : ''

  function locate() {
    setErrorMessage('')
    if (!('geolocation' in navigator)) return setErrorMessage('This browser can’t share your location.')
    setLocating(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setLocating(false)
        const lat = roundDegrees(coords.latitude)
        const lng = roundDegrees(coords.longitude)
        onValueChange((previous) => ({ name: previous?.name.trim() || formatCoordinates(lat, lng), lat, lng }))
      },
      () => {
        setLocating(false)
        setErrorMessage(
          'Your location isn’t available. Allow location access in the browser, or type the name of the place.',
        )
      },
      { timeout: 15_000, maximumAge: 300_000 },
    )
  }

  return (
    <div className="flex flex-wrap items-start gap-2">
      <TextField
        label="Place"
        labelHidden
        placeholder="Where was it?"
        maxLength={200}
        value={value?.name ?? ''}
        onChange={(event) => {
          const name = event.currentTarget.value
          onValueChange((previous) =>
            name === '' ? null : { lat: previous?.lat ?? null, lng: previous?.lng ?? null, name },
          )
        }}
        help={positionText && `At ${positionText}`}
        error={errorMessage}
        className="min-w-[min(12rem,100%)] flex-1"
      />
      <Button icon={<LocateFixed aria-hidden size={14} />} busy={isLocating} busyLabel="Locating..." onClick={locate}>
        Use my location
      </Button>
      {positionText && (
        <Button
          variant="plain"
          onClick={() => onValueChange((previous) => previous && { ...previous, lat: null, lng: null })}
        >
          Remove the location
        </Button>
      )}
    </div>
  )
}

interface LocalTimeFieldProps {
  value: LocalDateTime | null
  onValueChange: (value: LocalDateTime | null) => void
  /** A new moment can use the time at which it is saved. */
  offersNow: boolean
}

export function LocalTimeField({ value, onValueChange, offersNow }: LocalTimeFieldProps) {
  const localTime = value ?? getLocalNow()
  const timeZoneOptions = useMemo(() => {
    const supportedZones = Intl.supportedValuesOf('timeZone')
    return [...new Set([localTime.timezone, ...supportedZones, 'UTC'])].map((zone) => ({
      value: zone,
      label: zone.replaceAll('_', ' '),
    }))
  }, [localTime.timezone])
  const set = (change: Partial<LocalDateTime>) => onValueChange({ ...localTime, ...change })
  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextField
        label="Day"
        type="date"
        value={localTime.day}
        max="9999-12-31"
        onChange={({ currentTarget: { value: day } }) => {
          if (day) set({ day })
        }}
        className="w-40"
      />
      <TextField
        label="Time"
        type="time"
        value={localTime.time}
        onChange={(event) => set({ time: event.currentTarget.value })}
        className="w-32"
      />
      <SelectField
        label="Time zone"
        options={timeZoneOptions}
        value={localTime.timezone}
        onChange={(event) => set({ timezone: event.currentTarget.value })}
        className="w-56 max-w-full"
      />
      {offersNow && value && (
        <Button variant="plain" onClick={() => onValueChange(null)}>
          Now
        </Button>
      )}
    </div>
  )
}

interface PhotoOriginOfferProps {
  value: MomentDraft
  onValueChange: (change: (value: MomentDraft) => MomentDraft) => void
}

/** Offers the date and place of the first picture whose metadata isn't used yet. Changes the moment only on request. */
export function PhotoOriginOffer({ value, onValueChange }: PhotoOriginOfferProps) {
  const offer = findOffer(value)
  if (!offer) return null
  const { id, origin } = offer
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
function findOffer({
  media,
  lived,
  place,
}: Pick<MomentDraft, 'media' | 'lived' | 'place'>): { id: string; origin: PhotoOrigin } | undefined {
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
