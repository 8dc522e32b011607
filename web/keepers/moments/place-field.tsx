import { LocateFixed } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { MomentWriting } from './moment-writing.ts'

type Place = MomentWriting['place']

interface PlaceFieldProps {
  value: Place
  /** Takes an updater, because a name can be typed while the position is being located. */
  onValueChange: (change: (value: Place) => Place) => void
}

/** Locates the position only on request. */
export function PlaceField({ value, onValueChange }: PlaceFieldProps) {
  const [looking, setLooking] = useState(false)
  const [failed, setFailed] = useState('')
  const position = value?.lat != null && value.lng != null ? `${value.lat.toFixed(3)}, ${value.lng.toFixed(3)}` : ''

  function locate() {
    setFailed('')
    if (!('geolocation' in navigator)) return setFailed('This browser can’t share your location.')
    setLooking(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setLooking(false)
        const lat = Math.round(coords.latitude * 1e5) / 1e5
        const lng = Math.round(coords.longitude * 1e5) / 1e5
        const inNumbers = `${lat.toFixed(3)}, ${lng.toFixed(3)}`
        onValueChange((before) => ({ name: before?.name.trim() || inNumbers, lat, lng }))
      },
      () => {
        setLooking(false)
        setFailed('Your location isn’t available. Allow it in the browser, or type the name of the place.')
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
          onValueChange((before) => (name === '' ? null : { lat: before?.lat ?? null, lng: before?.lng ?? null, name }))
        }}
        help={position && `At ${position}`}
        error={failed}
        className="min-w-48 flex-1"
      />
      <Button icon={<LocateFixed aria-hidden size={14} />} busy={looking} busyLabel="Locating..." onClick={locate}>
        Use my location
      </Button>
      {position && (
        <Button
          variant="plain"
          onClick={() => onValueChange((before) => before && { ...before, lat: null, lng: null })}
        >
          Remove the location
        </Button>
      )}
    </div>
  )
}
