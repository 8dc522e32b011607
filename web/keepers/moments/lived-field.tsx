import { useMemo } from 'react'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type Lived, livedNow } from './moment-writing.ts'

interface LivedFieldProps {
  value: Lived | null
  onValueChange: (value: Lived | null) => void
  /** A new moment can use the time at which it is saved. */
  mayBeNow: boolean
}

export function LivedField({ value, onValueChange, mayBeNow }: LivedFieldProps) {
  const lived = value ?? livedNow()
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf('timeZone')
    return [...new Set([lived.timezone, ...known, 'UTC'])].map((zone) => ({
      value: zone,
      label: zone.replaceAll('_', ' '),
    }))
  }, [lived.timezone])
  const set = (change: Partial<Lived>) => onValueChange({ ...lived, ...change })
  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextField
        label="Day"
        type="date"
        value={lived.day}
        max="9999-12-31"
        onChange={(event) => event.currentTarget.value && set({ day: event.currentTarget.value })}
        className="w-40"
      />
      <TextField
        label="Time"
        type="time"
        value={lived.time}
        onChange={(event) => set({ time: event.currentTarget.value })}
        className="w-32"
      />
      <SelectField
        label="Time zone"
        options={zones}
        value={lived.timezone}
        onChange={(event) => set({ timezone: event.currentTarget.value })}
        className="w-56 max-w-full"
      />
      {mayBeNow && value && (
        <Button variant="plain" onClick={() => onValueChange(null)}>
          Now
        </Button>
      )}
    </div>
  )
}
