import { useEffect, useState } from 'react'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import { Banner } from '#web/ui/banner.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { EntryForm } from '../entries/entry-form.tsx'
import { useEntryEditor } from '../entries/use-entry-editor.tsx'
import type { EntryList } from '../entries/use-entry-list.ts'
import { RecorderBox } from './recorder-box.tsx'
import { useRecording } from './use-recording.ts'
import { voiceKind } from './voice-kind.ts'

interface VoiceValues {
  label: string
  belief: string
  strength: number | null
  aiVisible: boolean
  audioId: string | null
  durationMs: number | null
}

const blankVoice: VoiceValues = {
  label: '',
  belief: '',
  strength: null,
  aiVisible: true,
  audioId: null,
  durationMs: null,
}
const toVoiceValues = ({ label, belief, strength, aiVisible, audioId, durationMs }: VoiceEntry): VoiceValues => ({
  label,
  belief,
  strength,
  aiVisible,
  audioId,
  durationMs,
})
const sentFields = ['label', 'belief', 'strength', 'aiVisible', 'audioId'] as const
const requiredMessage = 'Both label and belief are required'
export const strengthLabels = ['', 'Faint', 'Leaning', 'Fair', 'Strong', 'Sure']

interface VoiceFormProps {
  keeperId: string
  entryList: EntryList<VoiceEntry>
  /** `null` for a new entry. */
  entry: VoiceEntry | null
  onClose: () => void
}

export function VoiceForm({ keeperId, entryList, entry, onClose }: VoiceFormProps) {
  const editor = useEntryEditor<VoiceEntry, VoiceValues>({
    kind: voiceKind,
    entryList,
    keeperId,
    entry,
    initialValues: entry ? toVoiceValues(entry) : blankVoice,
    toValues: toVoiceValues,
    toBody: (values, previous) => {
      const trimmedValues = { ...values, label: values.label.trim(), belief: values.belief.trim() }
      const body = sentFields.flatMap((name) =>
        previous && trimmedValues[name] === previous[name] ? [] : [[name, trimmedValues[name]]],
      )
      return Object.fromEntries(body)
    },
    validate: ({ label, belief }) => ({
      ...(label.trim() === '' && { label: requiredMessage }),
      ...(belief.trim() === '' && { belief: requiredMessage }),
    }),
    compare: (local, current) => [
      { name: 'label', label: 'Label', yours: local.label, current: current.label },
      { name: 'belief', label: 'Belief', yours: local.belief, current: current.belief },
    ],
    onSaved: onClose,
  })
  const { values, set, fieldErrors } = editor
  const recording = useRecording({
    ...{ keeperId, demo: entryList.demo, onChange: set },
    place: entry?.id ?? 'new',
    // A new entry also offers recordings of deleted entries.
    matchesEntry: (place) => (entry ? place === entry.id : !entryList.entries?.some(({ id }) => id === place)),
  })
  const { isBusy, failure, recorder } = recording
  const [savesAfterRecording, setSavesAfterRecording] = useState(false)
  // Waits for a render, so that the save includes the recording.
  useEffect(() => {
    if (!savesAfterRecording || isBusy) return
    setSavesAfterRecording(false)
    if (!failure && !recorder.problem) void editor.save()
  })
  async function save() {
    if (!isBusy) return editor.save()
    recorder.stop()
    setSavesAfterRecording(true)
  }
  function cancel() {
    recording.discard()
    editor.cancel()
  }
  return (
    <EntryForm
      editor={{ ...editor, isSaving: editor.isSaving || savesAfterRecording, save, cancel }}
      label={entry ? `Edit ${entry.label}` : 'New voice entry'}
      saveLabel={entry ? 'Save Voice Entry' : 'Add Voice Entry'}
      onClose={onClose}
    >
      {Object.values(fieldErrors).includes(requiredMessage) && <Banner tone="error">{requiredMessage}</Banner>}
      <TextField
        label="Label"
        required
        autoFocus
        maxLength={120}
        value={values.label}
        onChange={(event) => set({ label: event.currentTarget.value })}
        placeholder="What this belief is about"
        error={fieldErrors.label === requiredMessage ? 'Enter a label.' : fieldErrors.label}
      />
      <TextArea
        label="Belief"
        required
        serif
        rows={4}
        maxLength={20_000}
        value={values.belief}
        onChange={(event) => set({ belief: event.currentTarget.value })}
        error={fieldErrors.belief === requiredMessage ? 'Write a few words.' : fieldErrors.belief}
      />
      <RecorderBox recording={recording} audioId={values.audioId} durationMs={values.durationMs} onChange={set} />
      {savesAfterRecording && (
        <p role="status" className="text-small text-muted-foreground">
          The recording is saved first, then the entry.
        </p>
      )}
      {fieldErrors.audioId && <p className="text-small text-destructive">{fieldErrors.audioId}</p>}
      <div className="grid gap-4 desk:grid-cols-2">
        <SelectField
          label="Strength"
          value={values.strength === null ? '' : String(values.strength)}
          onChange={(event) => set({ strength: Number(event.currentTarget.value) || null })}
          options={[
            { value: '', label: 'Not set' },
            ...[1, 2, 3, 4, 5].map((value) => ({
              value: String(value),
              label: `${value} · ${strengthLabels[value]}`,
            })),
          ]}
        />
        <Switch
          label="Not for AI"
          help="Models never see this entry, and its recording isn’t sent anywhere."
          checked={!values.aiVisible}
          onCheckedChange={(hidden) => set({ aiVisible: !hidden })}
        />
      </div>
    </EntryForm>
  )
}
