import { useEffect, useState } from 'react'
import { formatTime } from '#web/ui/text/format-time.ts'

const dayOfMonthFormat = new Intl.DateTimeFormat('en-US', { day: 'numeric' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long' })
const weekdayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long' })

/** The date in the margin; without `at` it follows the current time. */
export function DateGutter({ at }: { at?: string }) {
  const now = useNow()
  const date = at ? new Date(at) : now
  const isOtherYear = date.getFullYear() !== now.getFullYear()
  return (
    <div data-chrome className="pt-[26px] text-end text-small leading-[18px] text-muted-foreground max-[1180px]:hidden">
      <div className="font-serif text-[46px] leading-[46px] tracking-[-0.02em] text-foreground">
        {dayOfMonthFormat.format(date)}
      </div>
      <div>
        {monthFormat.format(date)}
        {isOtherYear && ` ${date.getFullYear()}`}
      </div>
      <div>
        {weekdayFormat.format(date)}, {formatTime(date, 'time')}
      </div>
    </div>
  )
}

function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 20_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
