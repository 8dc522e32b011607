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

const blank: VoiceValues = {
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
const required = 'Both label and belief are required'
export const strengthLabels = ['', 'Faint', 'Leaning', 'Fair', 'Strong', 'Sure']

interface VoiceFormProps {
  keeperId: string
  open: EntryList<VoiceEntry>
  /** `null` for a new entry. */
  entry: VoiceEntry | null
  onClose: () => void
}

export function VoiceForm({ keeperId, open, entry, onClose }: VoiceFormProps) {
  const editor = useEntryEditor<VoiceEntry, VoiceValues>({
    kind: voiceKind,
    open,
    keeperId,
    entry,
    initial: entry ? toVoiceValues(entry) : blank,
    toValues: toVoiceValues,
    toBody: (values, previous) => {
      const tidy = { ...values, label: values.label.trim(), belief: values.belief.trim() }
      const body = sentFields.flatMap((name) => (previous && tidy[name] === previous[name] ? [] : [[name, tidy[name]]]))
      return Object.fromEntries(body)
    },
    missing: ({ label, belief }) => ({
      ...(label.trim() === '' && { label: required }),
      ...(belief.trim() === '' && { belief: required }),
    }),
    compare: (local, current) => [
      { name: 'label', label: 'Label', yours: local.label, current: current.label },
      { name: 'belief', label: 'Belief', yours: local.belief, current: current.belief },
    ],
    onSaved: onClose,
  })
  const { values, set, fieldErrors } = editor
  const recording = useRecording({
    ...{ keeperId, demo: open.demo, onChange: set },
    place: entry?.id ?? 'new',
    // A new entry also offers recordings of deleted entries.
    isFor: (place) => (entry ? place === entry.id : !open.entries?.some(({ id }) => id === place)),
  })
  const { isBusy, failed, recorder } = recording
  const [waits, setWaits] = useState(false)
  // Waits for a render, so that the save includes the recording.
  useEffect(() => {
    if (!waits || isBusy) return
    setWaits(false)
    if (!failed && !recorder.problem) void editor.save()
  })
  async function save() {
    if (!isBusy) return editor.save()
    recorder.stop()
    setWaits(true)
  }
  function cancel() {
    recording.drop()
    editor.cancel()
  }
  return (
    <EntryForm
      editor={{ ...editor, isSaving: editor.isSaving || waits, save, cancel }}
      label={entry ? `Edit ${entry.label}` : 'New voice entry'}
      saveLabel={entry ? 'Save Voice Entry' : 'Add Voice Entry'}
      onClose={onClose}
    >
      {Object.values(fieldErrors).includes(required) && <Banner tone="error">{required}</Banner>}
      <TextField
        label="Label"
        required
        autoFocus
        maxLength={120}
        value={values.label}
        onChange={(event) => set({ label: event.currentTarget.value })}
        placeholder="What this belief is about"
        error={fieldErrors.label === required ? 'Enter a label.' : fieldErrors.label}
      />
      <TextArea
        label="Belief"
        required
        serif
        rows={4}
        maxLength={20_000}
        value={values.belief}
        onChange={(event) => set({ belief: event.currentTarget.value })}
        error={fieldErrors.belief === required ? 'Write a few words.' : fieldErrors.belief}
      />
      <RecorderBox recording={recording} audioId={values.audioId} durationMs={values.durationMs} onChange={set} />
      {waits && (
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
