import { expect, it } from 'vitest'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { changesOf, type Edit, editOf, isUnsaved, onItsOwn, onto } from './edited-reflection.ts'

const reflection = (content: string, rev: number, aiVisible = true) =>
  ({ topic: 'Garden', content, rev, aiVisible }) as Reflection
const before = reflection('The gate shuts.', 1)
const edit: Edit = { ...editOf(before), content: 'The gate sings.' }

it('an edit keeps a reflection hidden that was hidden after it started', () => {
  const hidden = reflection('The gate weeps.', 2, false)
  expect(changesOf(edit)).toEqual({ topic: 'Garden', content: 'The gate sings.' })
  expect(onto(hidden, edit)).toMatchObject({ content: 'The gate sings.', aiVisible: false, rev: 2 })
})

it('an explicit choice of AI visibility survives a rebase', () => {
  const hiding = { ...edit, aiVisible: false }
  expect(changesOf(hiding)).toMatchObject({ aiVisible: false })
  expect(onto(reflection('The gate weeps.', 2), hiding).aiVisible).toBe(false)
})

it('an edit equal to the current text counts as saved', () => {
  expect(isUnsaved(edit, before)).toBe(true)
  expect(isUnsaved(edit, reflection('The gate sings.', 2))).toBe(false)
  expect(isUnsaved(edit, reflection('The gate sings.', 2, false))).toBe(false)
})

it('a rebase accepts an own save whose answer was lost, but no other save', () => {
  const sent: Edit = { ...edit, content: 'The gate sings, still.', sent: { ...edit } }
  expect(onItsOwn(reflection('The gate sings.', 2), sent)).toMatchObject({ content: 'The gate sings, still.', rev: 2 })
  expect(onItsOwn(reflection('The gate weeps.', 2), sent)).toBeUndefined()
  expect(onItsOwn(reflection('The gate sings.', 3), sent)).toBeUndefined()
  expect(onItsOwn(reflection('The gate sings.', 2), edit), 'nothing was sent').toBeUndefined()
})
