import type { ComponentProps } from 'react'
import { formatTime, type TimeStyle } from './format-time.ts'

export interface TimeProps extends Omit<ComponentProps<'time'>, 'dateTime' | 'children'> {
  value: string | number | Date
  timeStyle?: TimeStyle
}

export function Time({ value, timeStyle = 'date', ...rest }: TimeProps) {
  const moment = new Date(value)
  if (Number.isNaN(moment.getTime())) return <span {...rest}>{String(value)}</span>
  return (
    <time title={formatTime(moment, 'date-time')} {...rest} dateTime={moment.toISOString()}>
      {formatTime(moment, timeStyle)}
    </time>
  )
}
