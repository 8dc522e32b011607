import { expect, test } from 'vitest'
import { type CutChunk, type PlanOptions, planChunks } from './plan-chunks.ts'

const options: PlanOptions = {
  documents: ['login', 'index', 'shell'],
  base: ['index', 'shell'],
  mostParts: 0.75,
  requestBytes: 1000,
  limitOf: () => 60_000,
}

function entry(file: string, ...imports: string[]): CutChunk {
  return { file, name: file, isEntry: true, imports, modules: [`${file}.tsx`], bytes: 5000 }
}

function shared(file: string, bytes: number, ...imports: string[]): CutChunk {
  return { file, name: file, isEntry: false, imports, modules: [`${file}.ts`], bytes }
}

const documents = [entry('login'), entry('index'), entry('shell')]

/** Which modules have a file together. */
function together(chunks: CutChunk[], others: Partial<PlanOptions> = {}): string[][] {
  const files = Map.groupBy(planChunks([...documents, ...chunks], { ...options, ...others }), ([, file]) => file)
  return [...files.values()].map((named) => named.map(([module]) => module))
}

const otherParts = [entry('third'), entry('fourth'), entry('fifth')]

test('what two parts both load is one file, named by its largest piece; their own scripts stay by themselves', () => {
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

test('two files of one name keep two names', () => {
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

test('a large file that only one of two parts needs is not loaded by the other for the sake of one request', () => {
  const chunks = [
    entry('first', 'icon', 'editor'),
    entry('second', 'icon'),
    shared('icon', 100),
    shared('editor', 20_000),
  ]
  expect(together([...otherParts, ...chunks])).toEqual([])
  expect(together([...chunks.toReversed(), ...otherParts])).toEqual([])
  expect(together([...otherParts, ...chunks], { requestBytes: 20_001 })).toEqual([['icon.ts', 'editor.ts']])
})

test('what a joined file needs itself counts as loaded in vain', () => {
  const chunks = [entry('first', 'icon', 'field'), entry('second', 'icon'), entry('editor'), shared('icon', 100)]
  expect(together([...otherParts, ...chunks, shared('field', 100)])).toEqual([['icon.ts', 'field.ts']])
  expect(together([...otherParts, ...chunks, shared('field', 100, 'editor')])).toEqual([])
})

test('what a page waits for at its start is never joined with what it does without', () => {
  const chunks = [
    entry('first', 'field', 'menu', 'icon'),
    entry('second', 'field', 'menu', 'icon'),
    shared('field', 10),
    shared('menu', 10),
    shared('icon', 10),
  ]
  const login = entry('login', 'field')
  const shell = entry('shell', 'menu')
  expect(together([...otherParts, ...chunks, login, shell])).toEqual([])
})

test('what most parts load goes along with what they are opened over', () => {
  const chunks = [
    entry('first', 'drafts'),
    entry('second', 'drafts'),
    entry('third', 'drafts'),
    entry('fourth'),
    shared('drafts', 50_000),
    shared('menu', 100),
  ]
  const shell = entry('shell', 'menu')
  expect(together([...chunks, shell])).toEqual([['drafts.ts', 'menu.ts']])
  expect(together([...chunks, shell], { mostParts: 0.8 })).toEqual([])
})

test('two files are not joined where they would need a third that needs them', () => {
  const chunks = [
    entry('first', 'top', 'bottom'),
    entry('second', 'top', 'bottom'),
    shared('top', 100),
    shared('bottom', 100),
  ]
  expect(together([...otherParts, ...chunks, entry('between', 'bottom')])).toEqual([['top.ts', 'bottom.ts']])
  const needing = chunks.map((chunk) => (chunk.file === 'top' ? shared('top', 100, 'between') : chunk))
  expect(together([...otherParts, ...needing, entry('between', 'bottom')])).toEqual([])
})

test('no part comes over its limit, and one that is over it already is no hindrance to others', () => {
  const chunks = [
    entry('first', 'icon', 'field'),
    entry('second', 'icon', 'field'),
    entry('third', 'field'),
    shared('icon', 100),
    shared('field', 100),
  ]
  expect(together([...otherParts.slice(1), ...chunks])).toEqual([['icon.ts', 'field.ts']])
  expect(
    together([...otherParts.slice(1), ...chunks], { limitOf: (file) => (file === 'third' ? 5150 : 60_000) }),
  ).toEqual([])
  expect(
    together([...otherParts.slice(1), ...chunks], { limitOf: (file) => (file === 'first' ? 100 : 60_000) }),
  ).toEqual([['icon.ts', 'field.ts']])
})
