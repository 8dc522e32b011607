import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { areas } from '#contract/index.ts'
import { alsoNamed, editableThings, pagesWithout, unnamed } from '../gates/two-tabs/editable-things.ts'
import { permissionTable } from './permission-matrix-table.ts'
import { makeWorld, type World } from './permission-matrix-world.ts'
import { readSourceTree } from './source-tree.ts'

const changing = Object.entries(areas).flatMap(([area, calls]) =>
  Object.entries(calls).flatMap(([name, { method }]) => (['PUT', 'PATCH'].includes(method) ? [`${area}.${name}`] : [])),
)

test('every PUT and PATCH takes a revision or is listed as needing none', () => {
  const known = [...Object.keys(editableThings), ...alsoNamed, ...Object.keys(unnamed)]
  expect(known.toSorted()).toEqual(changing.toSorted())
})

describe('the second writer', () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld('sqlite')
    await world.app.as('ada', ['super-admin'])
  })
  afterAll(() => world.app.close())

  it.each(Object.entries(editableThings))('gets both texts from %s, and nothing changes', async (name, thing) => {
    const ada = await world.app.as('ada')
    const sample = await permissionTable[name]?.sample(world)
    const [area = '', call = ''] = name.split('.')
    const endpoint = (areas as never)[area][call] as never
    const body = {
      ...(sample?.body as object),
      [thing.field]: 'Too late.',
      ...(thing.before && { [thing.before]: 'Never.' }),
    }
    const late = () => ada.call(endpoint, { ...sample, body, ...(!thing.before && { ifMatch: 999 }) } as never)
    const [first, again] = [await late(), await late()]
    expect([first.status, again.status]).toEqual([409, 409])
    const { yours, current } = first.body.data as unknown as Record<string, Record<string, unknown>>
    expect(yours?.[thing.field]).toBe('Too late.')
    expect(current?.[thing.field]).not.toBe('Too late.')
    expect((again.body.data as unknown as { current: unknown }).current).toEqual(current)
  })
})

describe('pages', () => {
  const nameOf: Record<string, string> = { usageCalls: 'usage', agentClassCalls: 'agentClasses', peopleCalls: 'people' }
  const named = new Set([...Object.keys(editableThings), ...alsoNamed])
  const sends = readSourceTree()
    .filter(({ path }) => path.startsWith('web/') && !path.includes('.test.'))
    .flatMap(({ path, source }) => sendsIn(path, source))

  it('send the revision a save is based on wherever the call takes one', () => {
    const without = sends.filter(({ names }) => !names).map(({ file }) => file)
    expect([...new Set(without)].toSorted()).toEqual(Object.keys(pagesWithout).toSorted())
  })

  it('make every one of these calls somewhere', () => {
    const throughRooms = ['voice.update', 'logbook.update', 'echoes.update']
    const seen = new Set([...throughRooms, ...sends.map(({ call }) => call)])
    expect([...named].filter((name) => !seen.has(name))).toEqual([])
    expect(readFileSync('web/keepers/rooms/use-room.ts', 'utf8')).toContain(
      'room.calls.update, { params: { id }, body, ifMatch: rev }',
    )
    expect(sendsIn('x', 'await call(topics.update, { params, body })')).toMatchObject([{ names: false }])
  })

  function sendsIn(file: string, text: string) {
    return [...text.matchAll(/\b(\w+)\(\s*(\w+)\.(\w+),/g)].flatMap((match) => {
      const [, , area = '', name = ''] = match
      const call = `${nameOf[area] ?? area}.${name}`
      if (!named.has(call)) return []
      const input = upToItsEnd(text, match.index)
      const elsewhere = /,\s*input\b/.test(input) ? (/const input = \{[^\n]*/.exec(text)?.[0] ?? '') : ''
      return [{ file, call, names: /ifMatch|noteBefore/.test(input + elsewhere) }]
    })
  }
})

/** The arguments of a call, up to their closing parenthesis. */
function upToItsEnd(text: string, from: number): string {
  let depth = 0
  for (let at = text.indexOf('(', from); at < text.length; at++) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return text.slice(from, at)
  }
  return text.slice(from)
}
