import { describe, expect, it } from 'vitest'
import { blankTemplate, bodyOfTemplate, fieldsOf, missingIn, newField, newStep } from './template-values.ts'

describe('what the builder sends', () => {
  it('gives new fields unique keys from their labels and keeps existing keys', () => {
    const made = fieldsOf([
      { ...newField(), label: 'What was good?' },
      { ...newField(), label: 'What was good?!' },
      { ...newField(), label: '42 Übungen' },
      { ...newField(), label: '你好' },
      { ...newField(), key: 'old', label: 'Renamed' },
    ])
    expect(made.map(({ key }) => key)).toEqual(['what_was_good', 'what_was_good_2', 'u_bungen', 'field', 'old'])
  })

  it('sends options only for choices and a maximum only for scales', () => {
    const more = { label: 'A', options: [' One ', '', 'Two'], most: 7, help: ' ' }
    expect(
      fieldsOf([
        { ...newField(), ...more },
        { ...newField(), ...more, type: 'choice' },
        { ...newField(), ...more, type: 'scale' },
      ]),
    ).toEqual([
      { key: 'a', label: 'A', type: 'longtext', required: false },
      { key: 'a_2', label: 'A', type: 'choice', required: false, options: ['One', 'Two'] },
      { key: 'a_3', label: 'A', type: 'scale', required: false, most: 7 },
    ])
  })

  it('lists missing fields until the template is complete', () => {
    const form = blankTemplate('content-type')
    expect(missingIn(form, 'content-type')).toEqual(['a name', 'a label for each field'])
    const done = { ...form, label: 'Tides', fields: [{ ...newField(), label: 'Low', type: 'choice' as const }] }
    expect(missingIn(done, 'content-type')).toEqual(['two choices where one chooses'])
    const process = { ...blankTemplate('process'), label: 'Tides', steps: [{ ...newStep(), title: ' Ebb ' }] }
    expect(missingIn(process, 'process')).toEqual([])
    expect(bodyOfTemplate(process, 'process')).toMatchObject({ steps: [{ title: 'Ebb' }] })
    expect(bodyOfTemplate(process, 'process')).not.toHaveProperty('fields')
  })
})
