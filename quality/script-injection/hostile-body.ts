import type { JsonSchema } from '../../tests/malformed/hostile-values.ts'

type Path = (string | number)[]
/** Text for a field; undefined keeps the valid value. */
export type GetText = (path: string, maxLength: number) => string | undefined

/** A valid body with `getText` texts wherever the schema allows a string, including optional fields. */
export function createHostileBody(schema: JsonSchema, valid: unknown, getText: GetText): Record<string, unknown> {
  let textCount = 0
  const getCountedText: GetText = (path, maxLength) => {
    const text = getText(path, maxLength)
    if (text !== undefined) textCount++
    return text
  }
  return (fillValue(schema, valid, '', getCountedText, () => textCount) ?? {}) as Record<string, unknown>
}

function fillValue(
  schema: JsonSchema,
  valid: unknown,
  path: string,
  getText: GetText,
  getTextCount: () => number,
): unknown {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return valid ?? schema.enum[0]
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) {
    const choice = choices.find((candidate) => candidate.type !== 'null' && matchesType(candidate, valid)) ?? choices[0]
    const filled = choice && fillValue(choice, valid, path, getText, getTextCount)
    return filled === undefined && choices.some(({ type }) => type === 'null') ? null : filled
  }
  if (schema.type === 'string') return getText(path, Number(schema.maxLength ?? 10_000)) ?? valid
  if (schema.type === 'array') {
    const items = Array.isArray(valid) && valid.length > 0 ? valid : [undefined]
    const filled = items.map((item) =>
      fillValue((schema.items ?? {}) as JsonSchema, item, `${path}[]`, getText, getTextCount),
    )
    return filled.every((item) => item === undefined) ? valid : filled
  }
  if (schema.type === 'object') {
    const required = (schema.required ?? []) as string[]
    const validFields = (valid ?? {}) as Record<string, unknown>
    const filled: Record<string, unknown> = { ...validFields }
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
      const textsBefore = getTextCount()
      const value = fillValue(property, validFields[name], path ? `${path}.${name}` : name, getText, getTextCount)
      // An optional value is included only if it contains a text.
      const isIncluded = required.includes(name) || validFields[name] !== undefined || getTextCount() > textsBefore
      if (value !== undefined && isIncluded) filled[name] = value
    }
    if (typeof schema.additionalProperties === 'object' && !schema.properties) {
      const text = getText(`${path}.*`, 10_000)
      for (const key of Object.keys(validFields))
        if (text !== undefined && typeof validFields[key] === 'string') filled[key] = text
    }
    return Object.keys(filled).length > 0 || valid !== undefined ? filled : undefined
  }
  if (schema.type === 'boolean') return valid ?? false
  if (schema.type === 'number' || schema.type === 'integer') return valid ?? schema.minimum ?? 1
  return valid
}

function matchesType(schema: JsonSchema, valid: unknown): boolean {
  if (valid === undefined || valid === null) return true
  if (Array.isArray(valid)) return schema.type === 'array'
  return typeof valid === schema.type
}

/** Resets a field named in a problem, such as `frames.0.data.icon` or `tags[2]`, to its valid value.
 * @returns the field's schema path (`tags[]`), or undefined if the body doesn't contain it */
export function resetField(body: Record<string, unknown>, valid: unknown, field: string): string | undefined {
  const path: Path = field.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  for (let length = path.length; length > 0; length--) {
    const prefix = path.slice(0, length)
    const parent = getAt(body, prefix.slice(0, -1))
    const last = prefix.at(-1) ?? ''
    if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) continue
    const validValue = getAt(valid, prefix)
    if (validValue !== undefined) (parent as Record<string, unknown>)[last] = structuredClone(validValue)
    else if (Array.isArray(parent)) parent.splice(Number(last), 1)
    else delete (parent as Record<string, unknown>)[last]
    return prefix
      .map((part) => (/^\d+$/.test(String(part)) ? '[]' : `.${part}`))
      .join('')
      .replace(/^\./, '')
  }
  return undefined
}

function getAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (container, part) => (container as Record<string, unknown> | null | undefined)?.[part],
    value,
  )
}
