import type { Provider } from '#contract/agents/model-settings.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { useProviders } from '#web/queries/use-providers.ts'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { useAgentEditing, useFieldProps } from './agent-editor.tsx'
import { toModelFields } from './agent-form-values.ts'
import { fieldNames } from './check-agent-form.ts'
import { ModelField } from './model-field.tsx'
import { RetryFields, SamplingFields } from './model-setting-fields.tsx'
import { ListSource, useVoiceList } from './provider-lists.tsx'

const gridClasses = 'grid grid-cols-2 items-start gap-x-[18px] gap-y-4 phone:grid-cols-1'
const maxSegments = 8

export function ModelConfigurationFields() {
  const providers = useProviders()
  const { agent, values, set } = useAgentEditing()
  const { model_provider: provider } = values
  const isSpeech = provider === 'elevenlabs'

  const changeProvider = (next: Provider) =>
    set({
      model_provider: next,
      ...toModelFields(getProviderInfo(next).settings),
      awaits_default_model: agent === null,
    })

  return (
    <div className={gridClasses}>
      <div className="col-span-full flex flex-col items-start gap-1.5">
        <span aria-hidden className="text-ui leading-[1.125rem] font-label">
          Provider<span className="ms-1.5 font-semibold text-destructive">*</span>
        </span>
        {providers.length <= maxSegments ? (
          <SegmentedControl
            label="Provider"
            options={providers.map(({ id }) => ({ value: id, label: id }))}
            value={provider}
            onValueChange={changeProvider}
          />
        ) : (
          <SelectField
            label="Provider"
            labelHidden
            options={providers.map(({ id, name }) => ({ value: id, label: name }))}
            value={provider}
            onChange={(event) => changeProvider(event.currentTarget.value)}
          />
        )}
      </div>
      <ModelField key={provider} />
      {isSpeech && <VoiceField />}
      <SamplingFields provider={provider} {...useSettingFieldsProps()} />
      {isSpeech && (
        <p className="col-span-full text-small text-muted-foreground">
          ElevenLabs gets only the text, the model and the voice. Temperature and max tokens are saved, but not sent.
        </p>
      )}
    </div>
  )
}

export function AgentRetryFields() {
  return (
    <div className={gridClasses}>
      <RetryFields {...useSettingFieldsProps()} />
    </div>
  )
}

export function FallbackFields() {
  const providers = useProviders()
  const { values, set } = useAgentEditing()
  const { fallback_provider: provider } = values
  const modelProps = useFieldProps('fallback_model')
  const options = providers.filter(({ id }) => id !== 'elevenlabs').map(({ id }) => ({ value: id, label: id }))
  return (
    <div className={gridClasses}>
      <SelectField
        label={fieldNames.fallback_provider}
        value={provider}
        options={[{ value: '', label: 'None' }, ...options]}
        onChange={(event) => set({ fallback_provider: event.currentTarget.value })}
      />
      {provider !== '' && <TextField {...modelProps} required mono maxLength={200} />}
    </div>
  )
}

function useSettingFieldsProps() {
  const { values, errors, set, setWhileTyping, showProblem } = useAgentEditing()
  return { values, errors, onChange: set, onTyping: setWhileTyping, onBlur: showProblem }
}

function VoiceField() {
  const { readOnly, values, errors, set } = useAgentEditing()
  const { voice_id: voiceId, voice_name: voiceName } = values
  const { list, loading, problem, refresh, refreshing } = useVoiceList()
  const voices = list?.voices ?? []
  const options = voices.map(({ id, name }) => ({ value: id, label: name }))
  if (voiceId !== '' && !voices.some(({ id }) => id === voiceId))
    options.unshift({
      value: voiceId,
      label: list?.problem === null ? `${voiceName || voiceId} (not in this list)` : voiceName || voiceId,
    })

  const emptyText = options.length > 0 ? 'Choose a voice' : 'No voices to choose from'

  function chooseVoice(id: string) {
    const name = voices.find((voice) => voice.id === id)?.name ?? voiceName
    set({ voice_id: id, voice_name: name })
  }
  return (
    <div className="min-w-0">
      <SelectField
        label="Voice"
        value={voiceId}
        placeholder={loading ? 'Loading voices...' : emptyText}
        options={options}
        disabled={options.length === 0}
        onChange={(event) => chooseVoice(event.currentTarget.value)}
        error={errors.voice_id}
        help={voiceId === '' ? getNoVoiceHelp(voices[0]?.name) : undefined}
      />
      <ListSource
        getText={() => `${voices.length === 0 ? 'No voices' : pluralize(voices.length, 'voice')} from ElevenLabs`}
        listName="voices"
        loading={loading}
        problem={problem}
        onRefresh={refresh}
        refreshing={refreshing}
        disabled={readOnly}
      />
    </div>
  )
}

function getNoVoiceHelp(firstVoice: string | undefined): string {
  return firstVoice
    ? `If you don’t choose one, the account’s first voice is used, currently ${firstVoice}.`
    : 'If you don’t choose one, the account’s first voice is used, if the key can list voices.'
}
