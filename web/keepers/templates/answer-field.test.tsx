import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { TemplateField } from '#contract/keepers/engagement-templates.ts'
import { AnswerField } from './answer-field.tsx'

test('a media question without help says when files can be added', () => {
  const field = { key: 'photos', type: 'media', label: 'Photos', required: false, help: '' } as unknown as TemplateField
  const renderField = (help: string) =>
    renderToStaticMarkup(<AnswerField field={{ ...field, help }} value={undefined} onChange={() => undefined} />)
  expect(renderField('')).toContain('You can add files when answering in a keeper.')
  expect(renderField('Of the harbour.')).toContain('Of the harbour.')
})
