import { expect, it } from 'vitest'
import { comesBack, dayOf, echoRoom } from './echo-room.ts'
import { blankEcho, echoBody, echoValues, missingInEcho } from './echo-values.ts'

const echo = echoRoom.fresh('e', 'k', '2026-11-20T10:00:00.000Z')

it('a new echo sends its date and conditions only when they are filled', () => {
  expect(echoBody({ ...blankEcho, message: ' Hello. ' }, null)).toEqual({ message: 'Hello.' })
  const filled = {
    ...blankEcho,
    message: 'm',
    date: '2026-12-24',
    topic: ' sea ',
    anniversary: '2028-02-29',
    silentDays: 30,
  }
  expect(echoBody(filled, null)).toEqual({
    message: 'm',
    triggerDate: '2026-12-24',
    triggerConditions: { topic: 'sea', silentDays: 30, anniversary: '02-29' },
  })
})

it('a change sends what differs, and keeps conditions this page does not know', () => {
  const before = echoValues({
    ...echo,
    message: 'm',
    triggerDate: '2026-12-24T00:00:00.000Z',
    triggerConditions: { topic: 'sea', mood: 'low' },
  })
  expect(echoBody(before, before)).toEqual({})
  expect(echoBody({ ...before, topic: '', date: '' }, before)).toEqual({
    triggerDate: null,
    triggerConditions: { mood: 'low' },
  })
})

it('the text of a sealed echo is asked for only when it is to be opened', () => {
  const before = echoValues({ ...echo, sealed: true })
  expect(missingInEcho(before, before)).toEqual({})
  expect(missingInEcho({ ...before, sealed: false }, before)).toEqual({ message: 'Message is required' })
  expect(missingInEcho(blankEcho, null)).toEqual({ message: 'Message is required' })
  expect(echoBody({ ...before, topic: 'x' }, before)).toEqual({ triggerConditions: { topic: 'x' } })
})

it('says when it would come back', () => {
  const conditions = { topic: 'father', journeyId: 'j', silentDays: 1, anniversary: '11-20' }
  expect(comesBack('2026-12-24T00:00:00.000Z', conditions, () => 'The boat')).toBe(
    'on Dec 24, 2026, or when “father” is said again, or when The boat is completed, or after 1 day without a moment or a reflection, or on the next November 20',
  )
  expect(comesBack(null, null, () => undefined)).toBe('')
  expect(dayOf('2026-12-24T00:00:00.000Z')).toBe('Dec 24, 2026')
})

it('what waits in this browser is closed when it is sealed, and ready when its day is past', () => {
  const written = echoRoom.with(echo, { message: 'secret', sealed: true, triggerDate: '2020-01-01' })
  expect(written).toMatchObject({ message: '', state: 'ready', triggerDate: '2020-01-01T00:00:00.000Z' })
  expect(echoRoom.with(echo, { message: 'open' })).toMatchObject({ message: 'open', state: 'pending' })
})
