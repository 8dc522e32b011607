/** The names that a schema of the contract has fields for; none where it is absent or no object. */
export const fieldNames = (schema: unknown): string[] =>
  Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})
