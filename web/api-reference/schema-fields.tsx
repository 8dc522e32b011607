import type { SchemaField } from './describe-schema.ts'

interface SchemaFieldsProps {
  fields: SchemaField[]
  /** For requests: an answer has the fields that apply to it. */
  marksOptional: boolean
}

export function SchemaFields({ fields, marksOptional }: SchemaFieldsProps) {
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
