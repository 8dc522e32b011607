import { describe, expect, it } from 'vitest'
import {
  createBlankTemplate,
  createField,
  createStep,
  listMissingFields,
  toTemplateBody,
  toTemplateFields,
} from './template-values.ts'

describe('the template builder', () => {
  it('gives new fields unique keys from their labels and keeps existing keys', () => {
    const fields = toTemplateFields([
      { ...createField(), label: 'What was good?' },
      { ...createField(), label: 'What was good?!' },
      { ...createField(), label: '42 Übungen' },
      { ...createField(), label: '你好' },
      { ...createField(), key: 'old', label: 'Renamed' },
    ])
    expect(fields.map(({ key }) => key)).toEqual(['what_was_good', 'what_was_good_2', 'u_bungen', 'field', 'old'])
  })

  it('sends options only for choices and a maximum only for scales', () => {
    const details = { label: 'A', options: [' One ', '', 'Two'], most: 7, help: ' ' }
    expect(
      toTemplateFields([
        { ...createField(), ...details },
        { ...createField(), ...details, type: 'choice' },
        { ...createField(), ...details, type: 'scale' },
      ]),
    ).toEqual([
      { key: 'a', label: 'A', type: 'longtext', required: false },
      { key: 'a_2', label: 'A', type: 'choice', required: false, options: ['One', 'Two'] },
      { key: 'a_3', label: 'A', type: 'scale', required: false, most: 7 },
    ])
  })

  it('lists missing fields until the template is complete', () => {
    const form = createBlankTemplate('content-type')
    expect(listMissingFields(form, 'content-type')).toEqual(['a name', 'a label for each field'])
    const formWithChoice = {
      ...form,
      label: 'Tides',
      fields: [{ ...createField(), label: 'Low', type: 'choice' as const }],
    }
    expect(listMissingFields(formWithChoice, 'content-type')).toEqual(['two choices for each choice question'])
    const process = { ...createBlankTemplate('process'), label: 'Tides', steps: [{ ...createStep(), title: ' Ebb ' }] }
    expect(listMissingFields(process, 'process')).toEqual([])
    expect(toTemplateBody(process, 'process')).toMatchObject({ steps: [{ title: 'Ebb' }] })
    expect(toTemplateBody(process, 'process')).not.toHaveProperty('fields')
  })
})
