import { expect, it } from 'vitest'
import { describeTriggers, echoKind, formatTriggerDay } from '../entries/entry-kinds.ts'
import { blankEcho, toEchoBody, toEchoValues, toTriggerConditions, validateEcho } from './echo-form.tsx'

const localTimezone = Intl.DateTimeFormat().resolvedOptions().timeZone
const echo = echoKind.createEmpty('e', 'k', '2026-11-20T10:00:00.000Z')

it('a new echo sends its date and conditions only when they are filled', () => {
  expect(toEchoBody({ ...blankEcho, message: ' Hello. ' }, null)).toEqual({ message: 'Hello.' })
  const filled = {
    ...blankEcho,
    message: 'm',
    date: '2026-12-24',
    topic: ' sea ',
    anniversary: '2028-02-29',
    silentDays: 30,
  }
  expect(toEchoBody(filled, null)).toEqual({
    message: 'm',
    triggerDate: '2026-12-24',
    triggerConditions: { topic: 'sea', silentDays: 30, anniversary: '02-29' },
    triggerTimezone: localTimezone,
  })
})

it('choosing a new day moves all days of the echo to the current time zone', () => {
  const inTokyo = {
    ...echo,
    message: 'm',
    triggerDate: '2026-12-23T15:00:00.000Z',
    triggerTimezone: 'Asia/Tokyo',
    triggerConditions: { anniversary: '11-20' },
  }
  const previous = toEchoValues(inTokyo)
  expect(previous.date).toBe('2026-12-24')
  expect(formatTriggerDay(inTokyo.triggerDate, 'Asia/Tokyo')).toBe('Dec 24, 2026')
  expect(toEchoBody({ ...previous, message: 'n' }, previous)).toEqual({ message: 'n' })
  expect(toEchoBody({ ...previous, date: '' }, previous)).toEqual({ triggerDate: null })
  expect(toEchoBody({ ...previous, anniversary: '2028-11-21' }, previous)).toEqual({
    triggerDate: '2026-12-24',
    triggerConditions: { anniversary: '11-21' },
    triggerTimezone: localTimezone,
  })
})

it('a change sends only differences and keeps unknown conditions', () => {
  const previous = toEchoValues({
    ...echo,
    message: 'm',
    triggerDate: '2026-12-24T00:00:00.000Z',
    triggerConditions: { topic: 'sea', mood: 'low' },
  })
  expect(toEchoBody(previous, previous)).toEqual({})
  expect(toEchoBody({ ...previous, topic: '', date: '' }, previous)).toEqual({
    triggerDate: null,
    triggerConditions: { mood: 'low' },
  })
})

it('a sealed echo requires its text only when it is unsealed', () => {
  const previous = toEchoValues({ ...echo, sealed: true })
  expect(validateEcho(previous, previous)).toEqual({})
  expect(validateEcho({ ...previous, sealed: false }, previous)).toEqual({ message: 'Message is required' })
  expect(validateEcho(blankEcho, null)).toEqual({ message: 'Message is required' })
  expect(toEchoBody({ ...previous, topic: 'x' }, previous)).toEqual({ triggerConditions: { topic: 'x' } })
})

it('an invalid number of silent days prevents saving', () => {
  const refused = { 'triggerConditions.silentDays': 'Use a whole number of days from 1 to 3650.' }
  for (const silentDays of [-5, 0, 1.5, 3651, Number.NaN]) {
    const values = { ...blankEcho, message: 'm', silentDays }
    expect(validateEcho(values, null)).toEqual(refused)
    expect(toTriggerConditions(values)).toBeNull()
  }
  expect(validateEcho({ ...blankEcho, message: 'm' }, null)).toEqual({})
})

it('describeTriggers names every trigger of an echo', () => {
  const conditions = { topic: 'father', journeyId: 'j', silentDays: 1, anniversary: '11-20' }
  const echoWithTriggers = {
    triggerDate: '2026-12-24T00:00:00.000Z',
    triggerConditions: conditions,
    triggerTimezone: null,
  }
  expect(describeTriggers(echoWithTriggers, () => 'The boat')).toBe(
    'on Dec 24, 2026, or when “father” comes up again, or when The boat is completed, or after 1 day without a moment or a reflection, or on the next November 20',
  )
  expect(describeTriggers(echo, () => undefined)).toBe('')
  expect(formatTriggerDay('2026-12-24T00:00:00.000Z', null)).toBe('Dec 24, 2026')
})

it('a queued echo hides its text when sealed and is ready when its day is past', () => {
  const written = echoKind.applyChanges(echo, { message: 'secret', sealed: true, triggerDate: '2020-01-01' })
  expect(written).toMatchObject({
    message: '',
    state: 'ready',
    triggerDate: new Date('2020-01-01T00:00').toISOString(),
  })
  expect(echoKind.applyChanges(echo, { message: 'open' })).toMatchObject({ message: 'open', state: 'pending' })
})
