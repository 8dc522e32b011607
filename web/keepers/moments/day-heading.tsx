import { formatDay, formatLongDay } from './format-day.ts'

export function DayHeading({ day, count }: { day: string; count?: number | undefined }) {
  return (
    <h2
      data-day={day}
      tabIndex={-1}
      title={formatLongDay(day)}
      className="flex items-baseline gap-2 rounded-xs pt-3 pb-3.5"
    >
      {formatDay(day)}
      {count !== undefined && count > 1 && (
        <span className="font-sans text-ui font-book tracking-normal text-muted-foreground">{count} moments</span>
      )}
    </h2>
  )
}
