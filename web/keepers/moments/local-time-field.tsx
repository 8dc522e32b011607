import { useMemo } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { getLocalNow, type LocalDateTime } from './moment-writing.ts'

interface LocalTimeFieldProps {
  value: LocalDateTime | null
  onValueChange: (value: LocalDateTime | null) => void
  /** A new moment can use the time at which it is saved. */
  canBeNow: boolean
}

export function LocalTimeField({ value, onValueChange, canBeNow }: LocalTimeFieldProps) {
  const localTime = value ?? getLocalNow()
  const zones = useMemo(() => {
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
        onChange={(event) => event.currentTarget.value && set({ day: event.currentTarget.value })}
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
        options={zones}
        value={localTime.timezone}
        onChange={(event) => set({ timezone: event.currentTarget.value })}
        className="w-56 max-w-full"
      />
      {canBeNow && value && (
        <Button variant="plain" onClick={() => onValueChange(null)}>
          Now
        </Button>
      )}
    </div>
  )
}
