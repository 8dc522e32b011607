export type TimeStyle = 'date' | 'day' | 'time' | 'date-time' | 'month'

const date: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', year: 'numeric' }
const clock: Intl.DateTimeFormatOptions = {
  hour: 'numeric',
  minute: '2-digit',
  // The words are en-US, the clock is the reader's own.
  hourCycle: new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hourCycle,
}

const formats: Record<TimeStyle, Intl.DateTimeFormat> = {
  date: new Intl.DateTimeFormat('en-US', date),
  day: new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' }),
  time: new Intl.DateTimeFormat('en-US', clock),
  'date-time': new Intl.DateTimeFormat('en-US', { ...date, ...clock }),
  month: new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' }),
}

/** 'Nov 20, 2026', 'Friday, November 20', ... and the text itself when it is no date. */
export function formatTime(value: string | number | Date, style: TimeStyle = 'date'): string {
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? String(value) : formats[style].format(moment)
}
