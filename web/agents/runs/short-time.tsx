import { formatFullTime, formatShortTime } from './log-texts.ts'

export function ShortTime({ value, className }: { value: string; className?: string }) {
  return (
    <time dateTime={value} title={formatFullTime(value)} className={className}>
      {formatShortTime(value)}
    </time>
  )
}
