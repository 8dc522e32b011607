/** Field names of a contract schema; empty if it is absent or not an object. */
export const getFieldNames = (schema: unknown): string[] =>
  Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})
