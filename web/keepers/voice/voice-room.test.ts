import { expect, it } from 'vitest'
import { voiceRoom } from './voice-room.ts'

const entry = { ...voiceRoom.fresh('v', 'k', '2026-11-20T14:30:00.000Z'), audioId: 'first', durationMs: 61_000 }

it('replacing a recording clears the duration of the previous one', () => {
  expect(voiceRoom.with(entry, { audioId: 'second' })).toMatchObject({ id: 'v', audioId: 'second', durationMs: null })
  expect(voiceRoom.with(entry, { belief: 'b' })).toMatchObject({ belief: 'b', audioId: 'first', durationMs: 61_000 })
  expect(voiceRoom.with(entry, { audioId: 'first' })).toMatchObject({ durationMs: 61_000 })
})
