import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { toFieldErrors } from '#web/offline/use-entity-form.tsx'
import { ServiceHeadersField } from './model-service-dialog.tsx'
import { createHeader } from './service-values.ts'

it.each(['headers', 'headers.0.name'])('an error at %s is shown once', (path) => {
  const errors = toFieldErrors({ [path]: 'That name is reserved.' })
  const headers = [createHeader('host')]
  const markup = renderToStaticMarkup(
    <ServiceHeadersField headers={headers} errors={errors} onChange={() => undefined} />,
  )
  expect(markup.split('That name is reserved.')).toHaveLength(2)
})
