import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineEndpoint } from '#contract/endpoint.ts'
import { displayLine } from '#contract/one-line-text.ts'
import { cleanConflictData, cleanResponse } from './clean-response.ts'

const item = z.object({ name: displayLine, body: z.string(), tags: z.array(displayLine) })
const call = (returns: z.ZodMiniType) => defineEndpoint('GET /x', { summary: 's', access: 'public', response: returns })
const dirty = 'A\u202Eda\n'

describe('response cleaning', () => {
  test('cleans one-line texts at any depth, and nothing else', () => {
    const returns = z.object({
      items: z.array(item),
      owner: z.nullable(z.optional(z.object({ name: displayLine }))),
      words: z.record(z.string(), z.nullable(displayLine)),
      either: z.union([item, z.object({ title: displayLine })]),
      anything: z.unknown(),
    })
    const data = {
      items: [
        { name: dirty, body: dirty, tags: ['b', dirty] },
        { name: 'B', body: 'b', tags: [] },
      ],
      owner: { name: dirty, more: dirty },
      words: { a: dirty, b: null },
      either: { title: dirty },
      anything: { name: dirty },
    }
    const previous = structuredClone(data)
    expect(cleanResponse(call(returns), data)).toEqual({
      items: [
        { name: 'Ada', body: dirty, tags: ['b', 'Ada'] },
        { name: 'B', body: 'b', tags: [] },
      ],
      owner: { name: 'Ada', more: dirty },
      words: { a: 'Ada', b: null },
      either: { title: 'Ada' },
      anything: { name: dirty },
    })
    expect(data).toEqual(previous)
  })

  test('returns the same value if nothing needs cleaning', () => {
    const clean = [{ name: 'Ada', body: dirty, tags: ['b'] }]
    expect(cleanResponse(call(z.array(item)), clean)).toBe(clean)
    expect(cleanResponse(call(z.array(item)), null)).toBeNull()
  })

  test('cleans both sides of a conflict', () => {
    const side = { name: dirty, body: dirty, tags: [] }
    const cleaned = { name: 'Ada', body: dirty, tags: [] }
    expect(cleanConflictData(call(item), { yours: side, current: side })).toEqual({ yours: cleaned, current: cleaned })
  })
})
