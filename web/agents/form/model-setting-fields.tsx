import { type Provider, settingBounds } from '#contract/agents/model-settings.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SettingRange } from '#web/ui/fields/setting-range.tsx'
import type { ModelFields } from './agent-form-values.ts'
import { fieldNames } from './check-agent-form.ts'

interface SettingFieldsProps {
  values: ModelFields
  errors: Partial<Record<keyof ModelFields, string>>
  onChange: (changes: Partial<ModelFields>) => void
  /** Changes a number that is being typed. */
  onTyping: (changes: Partial<ModelFields>) => void
  onBlur?: (field: keyof ModelFields) => void
}

/** The tokens and the randomness of an answer. */
export function SamplingFields({ provider, ...props }: SettingFieldsProps & { provider: Provider }) {
  return (
    <>
      <SettingField {...props} field="max_tokens" help="Leave empty to use the model’s limit." />
      <Slider {...props} field="temperature" lowLabel="0 consistent" highLabel="2 creative" />
      {getProviderInfo(provider).hasPenalties && (
        <>
          <Slider {...props} field="top_p" lowLabel="0" highLabel="1" />
          <Slider {...props} field="frequency_penalty" lowLabel="-2" highLabel="2" />
          <Slider {...props} field="presence_penalty" lowLabel="-2" highLabel="2" />
        </>
      )}
    </>
  )
}

export function RetryFields(props: SettingFieldsProps) {
  return (
    <>
      <SettingField {...props} field="max_retries" help="0 to 10" />
      <SettingField {...props} field="retry_delay_ms" unit="ms" help="100 to 10,000" />
    </>
  )
}

interface SettingFieldProps extends SettingFieldsProps {
  field: 'max_tokens' | 'max_retries' | 'retry_delay_ms'
  unit?: string
  help: string
}

function SettingField({ field, unit, help, values, errors, onTyping, onBlur }: SettingFieldProps) {
  return (
    <NumberField
      label={fieldNames[field]}
      {...settingBounds[field]}
      value={Number.isNaN(values[field]) ? '' : values[field]}
      onNumberChange={(value) => onTyping({ [field]: value ?? Number.NaN })}
      onBlur={() => onBlur?.(field)}
      error={errors[field]}
      help={help}
      {...(unit && { unit })}
    />
  )
}

interface SliderProps extends SettingFieldsProps {
  field: 'temperature' | 'top_p' | 'frequency_penalty' | 'presence_penalty'
  lowLabel: string
  highLabel: string
}

function Slider({ field, lowLabel, highLabel, values, errors, onChange }: SliderProps) {
  return (
    <SettingRange
      setting={field}
      label={fieldNames[field]}
      error={errors[field]}
      value={values[field]}
      onNumberChange={(value) => onChange({ [field]: value })}
      help={
        <span className="flex justify-between">
          <span>{lowLabel}</span>
          <span>{highLabel}</span>
        </span>
      }
    />
  )
}
