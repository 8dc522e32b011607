import { LocateFixed } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import type { MomentWriting } from './moment-writing.ts'

type MomentPlace = MomentWriting['place']

interface PlaceFieldProps {
  value: MomentPlace
  /** Takes an updater, because a name can be typed while the position is being located. */
  onValueChange: (change: (value: MomentPlace) => MomentPlace) => void
}

/** Locates the position only on request. */
export function PlaceField({ value, onValueChange }: PlaceFieldProps) {
  const [locating, setLocating] = useState(false)
  const [errorMessage, setErrorMessage] = useState('')
  const positionText = value?.lat != null && value.lng != null ? `${value.lat.toFixed(3)}, ${value.lng.toFixed(3)}` : ''

  function locate() {
    setErrorMessage('')
    if (!('geolocation' in navigator)) return setErrorMessage('This browser can’t share your location.')
    setLocating(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setLocating(false)
        const lat = Math.round(coords.latitude * 1e5) / 1e5
        const lng = Math.round(coords.longitude * 1e5) / 1e5
        const coordinates = `${lat.toFixed(3)}, ${lng.toFixed(3)}`
        onValueChange((previous) => ({ name: previous?.name.trim() || coordinates, lat, lng }))
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
        className="min-w-48 flex-1"
      />
      <Button icon={<LocateFixed aria-hidden size={14} />} busy={locating} busyLabel="Locating..." onClick={locate}>
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
