/** `mapAsMap`, because for plain objects the parser turns keys that are mappings into text, which takes cubic time. */
export const yamlMapOptions = { logLevel: 'error', uniqueKeys: false, mapAsMap: true } as const

/**
 * The properties of YAML parsed with {@link yamlMapOptions}; `undefined` if it isn't a mapping. Properties whose key
 * isn't a scalar are left out.
 */
export function toYamlProperties(parsed: unknown): Record<string, unknown> | undefined {
  if (parsed === null || parsed === undefined) return {}
  return parsed instanceof Map ? toProperties(parsed) : undefined
}

function toProperties(map: ReadonlyMap<unknown, unknown>): Record<string, unknown> {
  const scalars = [...map].filter(([key]) => typeof key !== 'object' || key === null)
  return Object.fromEntries(scalars.map(([key, value]) => [String(key ?? ''), toPlainValue(value)]))
}

function toPlainValue(value: unknown): unknown {
  if (value instanceof Map) return toProperties(value)
  return Array.isArray(value) ? value.map(toPlainValue) : value
}
