import { expect, it } from 'vitest'
import type { Reflection } from '#contract/keepers/reflections.ts'
import {
  createEdit,
  getEditChanges,
  isUnsaved,
  type ReflectionEdit,
  rebaseEdit,
  rebaseOnOwnSave,
} from './reflection-edit.ts'

const reflection = (content: string, rev: number, aiVisible = true) =>
  ({ topic: 'Garden', content, rev, aiVisible }) as Reflection
const original = reflection('The gate shuts.', 1)
const edit: ReflectionEdit = { ...createEdit(original), content: 'The gate sings.' }

it('an edit keeps a reflection hidden that was hidden after it started', () => {
  const hidden = reflection('The gate weeps.', 2, false)
  expect(getEditChanges(edit)).toEqual({ topic: 'Garden', content: 'The gate sings.' })
  expect(rebaseEdit(hidden, edit)).toMatchObject({ content: 'The gate sings.', aiVisible: false, rev: 2 })
})

it('an explicit choice of AI visibility survives a rebase', () => {
  const hiding = { ...edit, aiVisible: false }
  expect(getEditChanges(hiding)).toMatchObject({ aiVisible: false })
  expect(rebaseEdit(reflection('The gate weeps.', 2), hiding).aiVisible).toBe(false)
})

it('an edit equal to the current text counts as saved', () => {
  expect(isUnsaved(edit, original)).toBe(true)
  expect(isUnsaved(edit, reflection('The gate sings.', 2))).toBe(false)
  expect(isUnsaved(edit, reflection('The gate sings.', 2, false))).toBe(false)
})

it('a rebase accepts an own save whose answer was lost, but no other save', () => {
  const sent: ReflectionEdit = { ...edit, content: 'The gate sings, still.', sent: { ...edit } }
  expect(rebaseOnOwnSave(reflection('The gate sings.', 2), sent)).toMatchObject({
    content: 'The gate sings, still.',
    rev: 2,
  })
  expect(rebaseOnOwnSave(reflection('The gate weeps.', 2), sent)).toBeUndefined()
  expect(rebaseOnOwnSave(reflection('The gate sings.', 3), sent)).toBeUndefined()
  expect(rebaseOnOwnSave(reflection('The gate sings.', 2), edit), 'nothing was sent').toBeUndefined()
})
