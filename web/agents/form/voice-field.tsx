import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useAgentEditing, useAgentFields } from './agent-editor.tsx'
import { ListSource } from './list-source.tsx'
import { useVoiceList } from './provider-lists.ts'

export function VoiceField() {
  const { readOnly } = useAgentEditing()
  const { watch, setValue, formState } = useAgentFields()
  const [voiceId, voiceName] = watch(['voice_id', 'voice_name'])
  const { list, loading, problem, refresh, refreshing } = useVoiceList(true)
  const voices = list?.voices ?? []
  const options = voices.map(({ id, name }) => ({ value: id, label: name }))
  if (voiceId !== '' && !voices.some(({ id }) => id === voiceId))
    options.unshift({
      value: voiceId,
      label: list?.problem === null ? `${voiceName || voiceId} (not in this list)` : voiceName || voiceId,
    })

  function chooseVoice(id: string) {
    const name = voices.find((voice) => voice.id === id)?.name ?? voiceName
    setValue('voice_name', name, { shouldDirty: true })
    setValue('voice_id', id, { shouldDirty: true, shouldValidate: true })
  }
  return (
    <div className="min-w-0">
      <SelectField
        label="Voice"
        value={voiceId}
        placeholder={loading ? 'Loading voices...' : options.length > 0 ? 'Choose a voice' : 'No voices to choose from'}
        options={options}
        disabled={options.length === 0}
        onChange={(event) => chooseVoice(event.currentTarget.value)}
        error={formState.errors.voice_id?.message}
        help={voiceId === '' ? getNoVoiceHelp(voices[0]?.name) : undefined}
      />
      <ListSource
        getText={() => formatVoiceCount(voices.length)}
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

function formatVoiceCount(count: number): string {
  if (count === 0) return 'No voices from ElevenLabs'
  return count === 1 ? '1 voice from ElevenLabs' : `${count} voices from ElevenLabs`
}
