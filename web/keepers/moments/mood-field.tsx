import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { type MomentWriting, moodLabels } from './moment-writing.ts'

interface MoodFieldProps {
  value: MomentWriting['mood']
  onValueChange: (value: MomentWriting['mood']) => void
}

const moodScores = [-2, -1, 0, 1, 2]

export function MoodField({ value, onValueChange }: MoodFieldProps) {
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
