import { expect, test } from 'vitest'
import { ApiError } from '#web/api/api.ts'
import { type FormDraft, getChanges, getFailureDetail, readFormDraft, toFieldErrors } from './use-entity-form.tsx'

test('the error of a list item also shows at its field', () => {
  expect(toFieldErrors({ 'tags.2': 'Too long.', title: 'Missing.' })).toEqual({
    'tags.2': 'Too long.',
    tags: 'Too long.',
    title: 'Missing.',
  })
})

test('getChanges returns the fields whose value changed', () => {
  const previous = { title: 'Harbour', tags: ['sea'], temperature: 0.7 }
  expect(getChanges(previous, { ...previous, tags: ['sea'], temperature: 0 })).toEqual({ temperature: 0 })
  expect(getChanges(previous, { ...previous, tags: [] })).toEqual({ tags: [] })
  expect(getChanges(null, previous)).toEqual(previous)
})

interface Values {
  title: string
  aiVisible: boolean
}
const toValues = ({ title, aiVisible }: Values): Values => ({ title, aiVisible })
const saved = { title: 'Harbour', aiVisible: true }
const initial: FormDraft<Values> = { id: 'new', key: 'fresh', rev: 3, before: saved, values: saved }
const read = (stored: unknown, base = initial) =>
  readFormDraft<Values & { rev: number }, Values>(stored, base, toValues)

test('a draft comes back as it was stored', () => {
  const draft = { id: 'a', key: 'k', rev: 2, before: { ...saved, title: 'Quay' }, values: { ...saved, title: 'Pier' } }
  expect(read(draft)).toEqual(draft)
})

test('drafts of earlier versions keep their text and base', () => {
  const values = { ...saved, title: 'Pier' }
  const expected = { id: 'new', key: 'fresh', rev: 3, before: saved, values }
  expect(read({ rev: 3, before: saved, values })).toEqual(expected)
  expect(read({ rev: 3, key: 'k', values })).toEqual({ ...expected, key: 'k' })
  expect(read({ id: '', key: 'k', rev: 3, before: saved, words: values })).toEqual({ ...expected, key: 'k' })
  expect(read({ ...values, rev: 3, wasAiVisible: true })).toEqual(expected)
  expect(read({ ...values, id: 'b', base: saved })).toEqual({ ...expected, id: 'b' })
  expect(read({ before: { ...saved, rev: 2 }, writing: values })).toEqual({ ...expected, rev: 2 })
})

test('a draft without its base values counts every field as changed', () => {
  expect(read({ title: 'Pier', rev: 2 })).toMatchObject({ rev: 2, before: null, values: { ...saved, title: 'Pier' } })
  expect(read({ title: 'Pier', before: 'Quay', rev: 2 })).toMatchObject({ before: null })
  const note = { id: 'a', key: 'k', rev: 0, before: { note: 'Now.' }, values: { note: 'Now.' } }
  const stored = { note: 'Mine.', before: 'Then.' }
  expect(readFormDraft(stored, note, ({ note }: { note: string }) => ({ note }))).toMatchObject({
    before: { note: 'Then.' },
    values: { note: 'Mine.' },
  })
})

test('a draft stored as plain text fills the only field', () => {
  const blank = { id: 'new', key: 'fresh', rev: null, before: { reason: '' }, values: { reason: '' } }
  expect(readFormDraft('Too early.', blank, () => ({ reason: '' })).values).toEqual({ reason: 'Too early.' })
})

test('a draft of a new entity keeps its id for retries', () => {
  const blank = { ...initial, rev: null }
  expect(read({ id: 'a', values: { title: 'Pier', aiVisible: false } }, blank)).toMatchObject({ id: 'a', rev: null })
  expect(read({ id: 'a', title: 'Pier', aiVisible: false }, blank)).toMatchObject({ values: { title: 'Pier' } })
})

const createApiError = (message: string, fields?: Record<string, string>) =>
  new ApiError({ status: 422, statusText: '' }, JSON.stringify({ success: false, error: message, fields }))

test('a failure already shown at its fields has no extra detail', () => {
  const createReason = (fields?: Record<string, string>) =>
    createApiError('name: Too long. url: Not an address.', fields)
  const names = ['name', 'url', 'header']
  expect(getFailureDetail(createReason({ name: 'Too long.', url: 'Not an address.' }), names)).toBeUndefined()
  expect(getFailureDetail(createReason({ 'header.value': 'Too long.' }), names)).toBeUndefined()
  expect(getFailureDetail(createReason({ 'settings.url': 'Not an address.' }), names)).toBeUndefined()
  expect(getFailureDetail(createReason({ name: 'Too long.', client_id: 'Missing.' }), names)).toContain('Too long.')
  expect(getFailureDetail(createReason(), names)).toContain('Too long.')
})
