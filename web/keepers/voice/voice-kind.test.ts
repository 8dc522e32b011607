import { expect, it } from 'vitest'
import { voiceKind } from '../entries/entry-kinds.ts'

const entry = { ...voiceKind.createEmpty('v', 'k', '2026-11-20T14:30:00.000Z'), audioId: 'first', durationMs: 61_000 }

it('replacing a recording clears the duration of the previous one', () => {
  expect(voiceKind.applyChanges(entry, { audioId: 'second' })).toMatchObject({
    id: 'v',
    audioId: 'second',
    durationMs: null,
  })
  expect(voiceKind.applyChanges(entry, { belief: 'b' })).toMatchObject({
    belief: 'b',
    audioId: 'first',
    durationMs: 61_000,
  })
  expect(voiceKind.applyChanges(entry, { audioId: 'first' })).toMatchObject({ durationMs: 61_000 })
})
