import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { areas } from '#contract/index.ts'
import {
  callsWithoutRevision,
  editableEntities,
  pagesWithoutRevision,
  separatelyTestedCalls,
} from '../quality/two-tabs/editable-entities.ts'
import { permissionTable } from './permission-matrix-table.ts'
import { createPermissionWorld, type PermissionWorld } from './permission-matrix-world.ts'
import { readSourceTree } from './source-tree.ts'

const updateCalls = Object.entries(areas).flatMap(([area, calls]) =>
  Object.entries(calls).flatMap(([name, { method }]) => (['PUT', 'PATCH'].includes(method) ? [`${area}.${name}`] : [])),
)

test('every PUT and PATCH takes a revision or is listed as needing none', () => {
  const listedCalls = [...Object.keys(editableEntities), ...separatelyTestedCalls, ...Object.keys(callsWithoutRevision)]
  expect(listedCalls.toSorted()).toEqual(updateCalls.toSorted())
})

describe('the second writer', () => {
  let world: PermissionWorld
  beforeAll(async () => {
    world = await createPermissionWorld('sqlite')
    await world.app.as('ada', ['super-admin'])
  })
  afterAll(() => world.app.close())

  it.each(Object.entries(editableEntities))('gets both texts from %s, and nothing changes', async (name, editable) => {
    const ada = await world.app.as('ada')
    const sample = await permissionTable[name]?.sample(world)
    const [area = '', call = ''] = name.split('.')
    const endpoint = (areas as never)[area][call] as never
    const body = {
      ...(sample?.body as object),
      [editable.field]: 'Too late.',
      ...(editable.previousField && { [editable.previousField]: 'Never.' }),
    }
    const sendLate = () =>
      ada.call(endpoint, { ...sample, body, ...(!editable.previousField && { ifMatch: 999 }) } as never)
    const [first, second] = [await sendLate(), await sendLate()]
    expect({ first: first.status, second: second.status }).toEqual({ first: 409, second: 409 })
    const { yours, current } = first.body.data as unknown as Record<string, Record<string, unknown>>
    expect(yours?.[editable.field]).toBe('Too late.')
    expect(current?.[editable.field]).not.toBe('Too late.')
    expect((second.body.data as unknown as { current: unknown }).current).toEqual(current)
  })
})

describe('pages', () => {
  const areaNames: Record<string, string> = {
    usageCalls: 'usage',
    agentClassCalls: 'agentClasses',
    peopleCalls: 'people',
  }
  const callsWithRevision = new Set([...Object.keys(editableEntities), ...separatelyTestedCalls])
  const sends = readSourceTree()
    // The demo answers these calls and sends none.
    .filter(({ path }) => /^web\/(?!keepers\/demo\/)/.test(path) && !path.includes('.test.'))
    .flatMap(({ path, source }) => findSends(path, source))

  it('send the revision a save is based on wherever the call takes one', () => {
    const filesWithoutRevision = sends.filter(({ hasRevision }) => !hasRevision).map(({ file }) => file)
    expect([...new Set(filesWithoutRevision)].toSorted()).toEqual(Object.keys(pagesWithoutRevision).toSorted())
  })

  it('make every call that takes a revision', () => {
    const callsThroughEntryList = ['voice.update', 'logbook.update', 'echoes.update']
    const sentCalls = new Set([...callsThroughEntryList, ...sends.map(({ call }) => call)])
    expect([...callsWithRevision].filter((name) => !sentCalls.has(name))).toEqual([])
    expect(readFileSync('web/keepers/entries/use-entry-list.ts', 'utf8')).toContain(
      'kind.endpoints.update, { params: { id }, body, ifMatch: rev }',
    )
    expect(findSends('x', 'await call(topics.update, { params, body })')).toMatchObject([{ hasRevision: false }])
  })

  function findSends(file: string, text: string) {
    return [...text.matchAll(/\b(\w+)\(\s*(\w+)\.(\w+),/g)].flatMap((match) => {
      const [, , area = '', name = ''] = match
      const call = `${areaNames[area] ?? area}.${name}`
      if (!callsWithRevision.has(call)) return []
      const input = readArguments(text, match.index)
      const inputDeclaration = /,\s*input\b/.test(input) ? (/const input = \{[^\n]*/.exec(text)?.[0] ?? '') : ''
      return [{ file, call, hasRevision: /ifMatch|noteBefore/.test(input + inputDeclaration) }]
    })
  }
})

/** The arguments of a call, up to their closing parenthesis. */
function readArguments(text: string, from: number): string {
  let depth = 0
  for (let index = text.indexOf('(', from); index < text.length; index++) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (depth === 0) return text.slice(from, index)
  }
  return text.slice(from)
}
