import { CalendarClock } from 'lucide-react'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { formatCalendarDay, getLocalTimeZone } from '#web/ui/text/format-time.ts'

interface AsOfMenuProps {
  agentName: string
  /** Local day, or null for today. */
  value: string | null
  onChange: (day: string | null) => void
}

/** Chooses the day whose memory the next answers use. */
export default function AsOfMenu({ agentName, value, onChange }: AsOfMenuProps) {
  const today = getLocalDay(getLocalTimeZone(), Date.now())
  return (
    <Popover
      label="Ask as of a day"
      side="top"
      trigger={
        <Button size="small" variant="plain" icon={<CalendarClock aria-hidden size={14} />}>
          As of {value === null ? 'today' : formatCalendarDay(value)}
        </Button>
      }
    >
      <TextField
        label="Ask as of"
        type="date"
        max={today}
        help={`${agentName} gets only what you had written and approved by the end of this day, as it was then.`}
        value={value ?? ''}
        onChange={({ currentTarget: { value: day } }) => onChange(day === '' || day >= today ? null : day)}
      />
      {value !== null && (
        <Button size="small" className="mt-3" onClick={() => onChange(null)}>
          Today
        </Button>
      )}
    </Popover>
  )
}
