import { useEffect, useState } from 'react'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import { getChanges } from '#web/offline/use-entity-form.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EntryForm, useEntryEditor } from '../entries/entry-form.tsx'
import { voiceKind } from '../entries/entry-kinds.ts'
import type { EntryFormContext } from '../entries/entry-parts.tsx'
import { RecorderBox } from './recorder-box.tsx'
import { useRecording } from './use-recording.ts'

type VoiceValues = Pick<VoiceEntry, 'label' | 'belief' | 'strength' | 'aiVisible' | 'audioId' | 'durationMs'>

function toVoiceValues(entry: VoiceEntry): VoiceValues {
  const { label, belief, strength, aiVisible, audioId, durationMs } = entry
  return { label, belief, strength, aiVisible, audioId, durationMs }
}
const requiredMessage = 'Both label and belief are required'
export const strengthLabels = ['', 'Faint', 'Leaning', 'Fair', 'Strong', 'Sure']

export function VoiceForm({ keeper: { id: keeperId }, entryList, entry, onClose }: EntryFormContext<VoiceEntry>) {
  const editor = useEntryEditor<VoiceEntry, VoiceValues>({
    kind: voiceKind,
    entryList,
    keeperId,
    entity: entry,
    blank: toVoiceValues(voiceKind.createEmpty('', keeperId, '')),
    toValues: toVoiceValues,
    toBody(values, previous) {
      const trimmedTexts = { label: values.label.trim(), belief: values.belief.trim() }
      const { durationMs: _, ...body } = getChanges(previous, { ...values, ...trimmedTexts })
      return body
    },
    validate: ({ label, belief }) => ({
      ...(label.trim() === '' && { label: requiredMessage }),
      ...(belief.trim() === '' && { belief: requiredMessage }),
    }),
    onSaved: onClose,
  })
  const { values, set, field, errors } = editor
  const recording = useRecording({
    keeperId,
    isDemo: entryList.isDemo,
    onChange: set,
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
  function discard() {
    recording.discard()
    editor.discard()
  }
  return (
    <EntryForm
      editor={{ ...editor, isSaving: editor.isSaving || savesAfterRecording, save, discard }}
      label={entry ? `Edit ${entry.label}` : 'New voice entry'}
      saveLabel={entry ? 'Save Voice Entry' : 'Add Voice Entry'}
      onClose={onClose}
    >
      {Object.values(errors).includes(requiredMessage) && <Banner tone="error">{requiredMessage}</Banner>}
      <TextField
        label="Label"
        required
        autoFocus
        maxLength={120}
        {...field('label')}
        placeholder="What this belief is about"
        error={errors.label === requiredMessage ? 'Enter a label.' : errors.label}
      />
      <TextArea
        label="Belief"
        required
        serif
        rows={4}
        maxLength={20_000}
        {...field('belief')}
        error={errors.belief === requiredMessage ? 'Write a few words.' : errors.belief}
      />
      <RecorderBox recording={recording} audioId={values.audioId} durationMs={values.durationMs} onChange={set} />
      {savesAfterRecording && (
        <p role="status" className="text-small text-muted-foreground">
          The recording is saved first, then the entry.
        </p>
      )}
      {errors.audioId && <p className="text-small text-destructive">{errors.audioId}</p>}
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
          onCheckedChange={(isHidden) => set({ aiVisible: !isHidden })}
        />
      </div>
    </EntryForm>
  )
}
