import { expect, test } from 'vitest'
import { type InputChunk, type PlanOptions, planChunks } from './plan-chunks.ts'

const options: PlanOptions = {
  documents: ['login', 'index', 'shell'],
  base: ['index', 'shell'],
  commonPartShare: 0.75,
  tinyBytes: 0,
  requestBytes: 1000,
  mergeBytes: 0,
  getLimit: () => 60_000,
}

function entry(file: string, ...imports: string[]): InputChunk {
  return { file, name: file, isEntry: true, imports, dynamicImports: [], modules: [`${file}.tsx`], bytes: 5000 }
}

function shared(file: string, bytes: number, ...imports: string[]): InputChunk {
  return { file, name: file, isEntry: false, imports, dynamicImports: [], modules: [`${file}.ts`], bytes }
}

const documents = [entry('login'), entry('index'), entry('shell')]

function groupModules(chunks: InputChunk[], overrides: Partial<PlanOptions> = {}): string[][] {
  const files = Map.groupBy(planChunks([...documents, ...chunks], { ...options, ...overrides }), ([, file]) => file)
  return [...files.values()].map((entries) => entries.map(([module]) => module))
}

const otherParts = [entry('third'), entry('fourth'), entry('fifth')]

test('scripts that two parts share become one file, named after the largest', () => {
  const chunks = [
    entry('first', 'icon', 'form'),
    entry('second', 'icon', 'form'),
    shared('icon', 100),
    shared('form', 900),
  ]
  expect(planChunks([...documents, ...otherParts, ...chunks], options)).toEqual(
    new Map([
      ['icon.ts', 'form'],
      ['form.ts', 'form'],
    ]),
  )
})

test('a page at its limit takes a file that weighs no more than merging saves', () => {
  const chunks = [
    entry('first', 'form'),
    entry('second', 'icon', 'form'),
    entry('third', 'icon', 'form'),
    shared('icon', 100),
    shared('form', 900),
  ]
  const plan = (mergeBytes: number) =>
    groupModules([...otherParts.slice(1), ...chunks], { mergeBytes, getLimit: () => 5900 })
  expect(plan(0)).toEqual([])
  expect(plan(100)).toEqual([['icon.ts', 'form.ts']])
})

test('two files with the same name get different names', () => {
  const chunks = [
    entry('first', 'a', 'b'),
    entry('second', 'a', 'b'),
    entry('third', 'c', 'd'),
    entry('fourth', 'c', 'd'),
  ]
  const alike = ['a', 'b', 'c', 'd'].map((file) => ({ ...shared(file, 100), name: 'hooks' }))
  expect(new Set(planChunks([...documents, ...otherParts.slice(2), ...chunks, ...alike], options).values())).toEqual(
    new Set(['hooks', 'hooks-1']),
  )
})

test('a later part of a visitor’s page never loads the app’s entry', () => {
  const login = { ...entry('login'), dynamicImports: ['first'] }
  const parts = [entry('first', 'flow'), entry('second', 'flow', 'form'), shared('flow', 100)]
  const form = (...imports: string[]) => [...otherParts, ...parts, shared('form', 100, ...imports)]
  expect(planChunks([login, ...documents.slice(1), ...form('index')], options)).toEqual(new Map())
  expect(planChunks([login, ...documents.slice(1), ...form()], options).size).toBe(2)
  expect(groupModules(form('index'))).toEqual([['flow.ts', 'form.ts']])
})

test('a part does not load a large unneeded file to save one request', () => {
  const chunks = [
    entry('first', 'icon', 'editor'),
    entry('second', 'icon'),
    shared('icon', 100),
    shared('editor', 20_000),
  ]
  expect(groupModules([...otherParts, ...chunks])).toEqual([])
  expect(groupModules([...chunks.toReversed(), ...otherParts])).toEqual([])
  expect(groupModules([...otherParts, ...chunks], { requestBytes: 20_001 })).toEqual([['icon.ts', 'editor.ts']])
})

test('the imports of a joined file count as unneeded bytes', () => {
  const chunks = [entry('first', 'icon', 'field'), entry('second', 'icon'), entry('editor'), shared('icon', 100)]
  expect(groupModules([...otherParts, ...chunks, shared('field', 100)])).toEqual([['icon.ts', 'field.ts']])
  expect(groupModules([...otherParts, ...chunks, shared('field', 100, 'editor')])).toEqual([])
})

test('files needed at the start are never joined with files needed later', () => {
  const chunks = [
    entry('first', 'field', 'menu', 'icon'),
    entry('second', 'field', 'menu', 'icon'),
    shared('field', 10),
    shared('menu', 10),
    shared('icon', 10),
  ]
  const login = entry('login', 'field')
  const shell = entry('shell', 'menu')
  expect(groupModules([...otherParts, ...chunks, login, shell])).toEqual([])
})

test('files that most parts load join the base', () => {
  const chunks = [
    entry('first', 'drafts'),
    entry('second', 'drafts'),
    entry('third', 'drafts'),
    entry('fourth'),
    shared('drafts', 50_000),
    shared('menu', 100),
  ]
  const shell = entry('shell', 'menu')
  expect(groupModules([...chunks, shell])).toEqual([['drafts.ts', 'menu.ts']])
  expect(groupModules([...chunks, shell], { commonPartShare: 0.8 })).toEqual([])
})

test('two files are not joined if a third would then form a cycle', () => {
  const chunks = [
    entry('first', 'top', 'bottom'),
    entry('second', 'top', 'bottom'),
    shared('top', 100),
    shared('bottom', 100),
  ]
  expect(groupModules([...otherParts, ...chunks, entry('between', 'bottom')])).toEqual([['top.ts', 'bottom.ts']])
  const needing = chunks.map((chunk) => (chunk.file === 'top' ? shared('top', 100, 'between') : chunk))
  expect(groupModules([...otherParts, ...needing, entry('between', 'bottom')])).toEqual([])
})

test('joining never exceeds a part’s limit; a part already over it blocks no others', () => {
  const chunks = [
    entry('first', 'icon', 'field'),
    entry('second', 'icon', 'field'),
    entry('third', 'field'),
    shared('icon', 100),
    shared('field', 100),
  ]
  expect(groupModules([...otherParts.slice(1), ...chunks])).toEqual([['icon.ts', 'field.ts']])
  expect(
    groupModules([...otherParts.slice(1), ...chunks], { getLimit: (file) => (file === 'third' ? 5150 : 60_000) }),
  ).toEqual([])
  expect(
    groupModules([...otherParts.slice(1), ...chunks], { getLimit: (file) => (file === 'first' ? 100 : 60_000) }),
  ).toEqual([['icon.ts', 'field.ts']])
})
