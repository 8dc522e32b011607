import type { ReactNode, Ref } from 'react'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { CodeBlock } from '#web/ui/text/code-block.tsx'
import type { ApiCall, ApiMethod } from './api-calls.ts'
import { describeType, listFields, type SchemaField } from './describe-schema.ts'
import { TryCall } from './try-call.tsx'

interface CallDetailsProps {
  call: ApiCall
  isSignedIn: boolean
  headingRef: Ref<HTMLHeadingElement>
}

export function CallDetails({ call, isSignedIn, headingRef }: CallDetailsProps) {
  const { method, path, summary, conditions, parameters, body, uploadTypes, answer, refusals } = call
  return (
    <article aria-label={summary} className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <MethodBadge method={method} />
        <code className="font-mono text-ui wrap-anywhere">{path}</code>
        {conditions.map((condition) => (
          <Badge key={condition} mono tone="outlined">
            {condition}
          </Badge>
        ))}
      </p>
      <h2 ref={headingRef} tabIndex={-1} className="mt-2 outline-hidden">
        {summary}
      </h2>
      <p className="mt-2 max-w-[72ch] text-ui text-muted-foreground">
        <InlineCode text={call.description} />
      </p>
      <TryCall key={call.id} call={call} isSignedIn={isSignedIn} />
      {parameters.length > 0 && (
        <Part title="Parameters">
          <ul className="border-s border-border ps-3">
            {parameters.map((parameter) => (
              <li key={`${parameter.in} ${parameter.name}`} className="py-1 text-ui wrap-anywhere">
                <code className="font-mono text-code font-label">{parameter.name}</code>{' '}
                <span className="text-muted-foreground">
                  {locationLabels[parameter.in]}, {describeType(parameter.schema)}
                  {!parameter.required && ' (optional)'}
                </span>
                {parameter.description && (
                  <p className="text-small text-muted-foreground">
                    <InlineCode text={parameter.description} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {body && (
        <Part title="Body">
          <SchemaFields fields={listFields(body.schema)} marksOptional />
        </Part>
      )}
      {uploadTypes.length > 0 && (
        <Part title="Body">
          <p className="text-ui wrap-anywhere">The bytes of one file: {uploadTypes.join(', ')}.</p>
        </Part>
      )}
      {answer && (
        <Part title="Answer">
          <SchemaFields fields={listFields(answer.schema)} marksOptional={false} />
          <details className="mt-2">
            <summary className="cursor-pointer text-ui">Example answer</summary>
            <CodeBlock className="mt-2" label="example answer" value={JSON.stringify(answer.example, null, 2)} />
          </details>
        </Part>
      )}
      <Part title="Errors">
        <ul className="border-s border-border ps-3">
          {refusals.map(({ status, code, text }) => (
            <li key={code} className="py-1 text-ui wrap-anywhere">
              {status} <code className="font-mono text-code font-label">{code}</code>
              <p className="text-small text-muted-foreground">{text}</p>
            </li>
          ))}
        </ul>
        <p className="mt-2 text-small text-muted-foreground">
          Any call of this kind can return these errors, and occasionally others. Each has a code and says what to do.
        </p>
      </Part>
    </article>
  )
}

const locationLabels = { path: 'in the address', query: 'in the query', header: 'as a header' }

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-6">
      <h3 className="mb-2">{title}</h3>
      {children}
    </section>
  )
}

interface SchemaFieldsProps {
  fields: SchemaField[]
  /** Only for bodies: which fields an answer has depends on the case. */
  marksOptional: boolean
}

function SchemaFields({ fields, marksOptional }: SchemaFieldsProps) {
  return (
    <ul className="border-s border-border ps-3">
      {fields.map((field) => (
        <li key={field.name} className="py-1 text-ui wrap-anywhere">
          <code className="font-mono text-code font-label">{field.name}</code>{' '}
          <span className="text-muted-foreground">
            {field.type}
            {marksOptional && !field.isRequired && ' (optional)'}
          </span>
          {field.description && <p className="text-small text-muted-foreground">{field.description}</p>}
          {field.fields.length > 0 && (
            <details className="mt-1">
              <summary className="cursor-pointer text-small text-muted-foreground">Fields of {field.name}</summary>
              <SchemaFields fields={field.fields} marksOptional={marksOptional} />
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Text between backticks as code. */
function InlineCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one fixed text
      <code key={index} className="font-mono text-code text-foreground">
        {part}
      </code>
    ),
  )
}

const tones: Record<ApiMethod, BadgeTone> = {
  GET: 'info',
  POST: 'success',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'destructive',
}

export const MethodBadge = ({ method }: { method: ApiMethod }) => (
  <Badge mono tone={tones[method]}>
    {method}
  </Badge>
)
