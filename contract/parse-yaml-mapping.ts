import { parse } from 'yaml'

/**
 * The properties of a YAML mapping, in linear time; `undefined` for other YAML and for errors. Dates stay texts;
 * with `failsafe` all scalars do. Properties whose key isn't a scalar are left out.
 */
export function parseYamlMapping(
  yaml: string,
  options: { schema: 'core' | 'failsafe'; maxAliasCount: number },
): Record<string, unknown> | undefined {
  try {
    // As objects, the parser would serialize each key of nested keys, in cubic time.
    const value = parse(yaml, { ...options, logLevel: 'error', uniqueKeys: false, mapAsMap: true })
    if (value === null || value === undefined) return {}
    return value instanceof Map ? toProperties(value) : undefined
  } catch {
    return undefined
  }
}

function toProperties(map: ReadonlyMap<unknown, unknown>): Record<string, unknown> {
  const scalars = [...map].filter(([key]) => typeof key !== 'object' || key === null)
  return Object.fromEntries(scalars.map(([key, value]) => [String(key ?? ''), toPlainValue(value)]))
}

function toPlainValue(value: unknown): unknown {
  if (value instanceof Map) return toProperties(value)
  return Array.isArray(value) ? value.map(toPlainValue) : value
}
