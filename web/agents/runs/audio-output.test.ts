import { expect, it } from 'vitest'
import { formatClock } from '#web/ui/text/format-clock.ts'
import { findRecording, getRecordingRunId } from './audio-output.tsx'

const output = { type: 'audio', mime: 'audio/mpeg', url: '/api/kip/runs/0a1b/audio', bytes: 12 }

it('a recording is identified by its run', () => {
  const audio = findRecording(output)
  expect(audio && getRecordingRunId(audio)).toBe('0a1b')
})

it.each([
  ['an address elsewhere', { ...output, url: 'https://elsewhere.example/api/kip/runs/0a1b/audio' }],
  ['an address without a protocol', { ...output, url: '//elsewhere.example/api/kip/runs/0a1b/audio' }],
  ['another call of this server', { ...output, url: '/api/kip/runs/../../kam/auth/logout/audio' }],
  ['text', { type: 'text', text: '/api/kip/runs/0a1b/audio' }],
  ['an incomplete output', { type: 'audio', url: output.url }],
  ['nothing', null],
])('%s is not a recording', (_, value) => {
  expect(findRecording(value)).toBeUndefined()
})

it.each([
  [0, '0:00'],
  [6.9, '0:07'],
  [75, '1:15'],
  [3723, '1:02:03'],
  [-1, '0:00'],
])('%d seconds are formatted as %s', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text)
})
