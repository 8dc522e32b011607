import { type NavigateOptions, useSearchParams } from 'react-router'

type ParamChanges = Record<string, string | null | undefined>

/** An empty value removes its name. */
export function changeParams(params: URLSearchParams, changes: ParamChanges): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}

/** The query of the address, and a function that changes some of it. */
export function useAddressParams(options: NavigateOptions = {}) {
  const [params, setParams] = useSearchParams()
  const change = (changes: ParamChanges) => setParams((previous) => changeParams(previous, changes), options)
  return [params, change] as const
}
