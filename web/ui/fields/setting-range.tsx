import { settingBounds } from '#contract/agents/model-settings.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { RangeField, type RangeFieldProps } from '#web/ui/fields/range-field.tsx'

type Setting = 'temperature' | 'top_p' | 'frequency_penalty' | 'presence_penalty'
/** Initial value once a setting is no longer left to the model. */
const fallbackValues: Record<Setting, number> = {
  temperature: 0.7,
  top_p: 1,
  frequency_penalty: 0,
  presence_penalty: 0,
}

interface SettingRangeProps extends Pick<RangeFieldProps, 'error' | 'help' | 'disabled'> {
  label: string
  setting: Setting
  /** NaN: left to the model, not sent. */
  value: number
  onNumberChange: (value: number) => void
}

export function SettingRange({ setting, value, onNumberChange, label, disabled, ...rest }: SettingRangeProps) {
  const isModelDefault = Number.isNaN(value)
  return (
    <div className="flex flex-col gap-1">
      <RangeField
        {...rest}
        label={label}
        {...settingBounds[setting]}
        value={isModelDefault ? fallbackValues[setting] : value}
        disabled={disabled || isModelDefault}
        {...(isModelDefault && { format: () => 'not sent' })}
        onNumberChange={onNumberChange}
      />
      <Checkbox
        label={`Use the model’s default ${label.toLowerCase()}`}
        checked={isModelDefault}
        disabled={disabled}
        onCheckedChange={(checked) => onNumberChange(checked ? Number.NaN : fallbackValues[setting])}
      />
    </div>
  )
}

export const fromRangeValue = (value: number): number | null => (Number.isNaN(value) ? null : value)
export const toRangeValue = (value: number | null | undefined): number => value ?? Number.NaN
