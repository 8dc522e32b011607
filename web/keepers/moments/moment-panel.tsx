import { useEffect, useRef } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { maxMomentTopics } from '#contract/keepers/moments.ts'
import { truncate } from '#contract/truncate.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { ChipInput } from '#web/ui/fields/chip-input.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useJourneys } from '../journeys/journey-queries.ts'
import type { MomentDetail } from './moment-details.ts'
import { type MomentDraft, moodLabels, moodScores } from './moment-draft.ts'
import { LocalTimeField, PlaceField } from './place-field.tsx'

interface DetailPanelProps {
  id: string
  detail: MomentDetail
  keeper: Keeper
  draft: MomentDraft
  onChange: (change: (draft: MomentDraft) => Partial<MomentDraft>) => void
  /** A new moment can use the time at which it is saved. */
  isNew: boolean
  onClose: () => void
}

/** Takes the focus, so that the next key isn't handled as a page shortcut. Enter in it doesn't save the moment. */
export function DetailPanel({ id, detail, onClose, ...fields }: DetailPanelProps) {
  const panelRef = useRef<HTMLDivElement>(null)
  useEffect(() => panelRef.current?.querySelector<HTMLElement>('input:checked, input, select')?.focus(), [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles keys that bubble up from its fields
    <div
      id={id}
      ref={panelRef}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey) return
        const isEnterInText =
          event.key === 'Enter' && event.target instanceof HTMLInputElement && event.target.type === 'text'
        if (isEnterInText) event.preventDefault()
        if (event.key !== 'Escape' && !(isEnterInText && detail !== 'topics')) return
        event.stopPropagation()
        onClose()
      }}
      className="animate-fade border-t border-hairline px-6 py-4 phone:px-4"
    >
      <DetailField detail={detail} {...fields} />
    </div>
  )
}

function DetailField({ detail, keeper, draft, onChange, isNew }: Omit<DetailPanelProps, 'id' | 'onClose'>) {
  const set = (change: Partial<MomentDraft>) => onChange(() => change)
  if (detail === 'mood') return <MoodField value={draft.mood} onValueChange={(mood) => set({ mood })} />
  if (detail === 'place')
    return (
      <PlaceField
        value={draft.place}
        onValueChange={(update) => onChange((previous) => ({ place: update(previous.place) }))}
      />
    )
  if (detail === 'when')
    return (
      <LocalTimeField value={draft.lived} onValueChange={(localTime) => set({ lived: localTime })} offersNow={isNew} />
    )
  if (detail === 'title')
    return (
      <TextField
        label="Title"
        labelHidden
        placeholder="A title for this moment"
        maxLength={200}
        value={draft.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
    )
  if (detail === 'topics')
    return (
      <ChipInput
        label="Topics"
        value={draft.topics}
        onValueChange={(topics) => set({ topics: topics.slice(0, maxMomentTopics) })}
        normalize={(topic) => truncate(topic.trim(), 80)}
        placeholder="For example: Per, Bergen"
        help="Press Enter or comma after each."
      />
    )
  if (detail === 'ai')
    return (
      <Switch
        label="Not for AI"
        help="Agents never read this moment."
        checked={!draft.aiVisible}
        onCheckedChange={(isHidden) => set({ aiVisible: !isHidden })}
      />
    )
  return <JourneyField keeper={keeper} value={draft.journeyId} onValueChange={(journeyId) => set({ journeyId })} />
}

interface MoodFieldProps {
  value: MomentDraft['mood']
  onValueChange: (value: MomentDraft['mood']) => void
}

function MoodField({ value, onValueChange }: MoodFieldProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SegmentedControl
        label="Mood"
        options={moodScores.map((score) => ({ value: String(score), label: moodLabels[score] }))}
        value={value ? String(value.score) : ''}
        onValueChange={(score) => onValueChange({ score: Number(score), label: value?.label ?? '' })}
      />
      {value && (
        <>
          <TextField
            label="In your own words"
            labelHidden
            placeholder="In your own words"
            maxLength={40}
            value={value.label}
            onChange={(event) => onValueChange({ ...value, label: event.currentTarget.value })}
            className="w-44 phone:flex-1"
          />
          <Button variant="plain" onClick={() => onValueChange(null)}>
            No mood
          </Button>
        </>
      )}
    </div>
  )
}

interface JourneyFieldProps {
  keeper: Keeper
  value: string | null
  onValueChange: (value: string | null) => void
}

function JourneyField({ keeper, value, onValueChange }: JourneyFieldProps) {
  const { data: journeys, error, refetch } = useJourneys(keeper)
  return (
    <SelectField
      label="Journey"
      value={value ?? ''}
      onChange={(event) => onValueChange(event.currentTarget.value || null)}
      options={[
        { value: '', label: 'None' },
        ...(journeys ?? []).map(({ id, title }) => ({ value: id, label: title })),
      ]}
      help={journeys?.length === 0 ? 'This keeper has no journeys yet.' : undefined}
      error={error ? 'Journeys couldn’t be loaded.' : undefined}
      fix={{ label: 'Retry', onFix: () => void refetch() }}
    />
  )
}
