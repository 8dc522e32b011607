/** A copy with this parameter; without it for `null`. */
export function withSearchParam(params: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const updated = new URLSearchParams(params)
  if (value === null) updated.delete(name)
  else updated.set(name, value)
  return updated
}
