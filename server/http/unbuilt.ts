import type { Endpoint } from '#contract/endpoint.ts'
import { Problem } from './problem.ts'
import type { Handlers } from './serve-area.ts'

// biome-ignore lint/suspicious/noExplicitAny: gone before the day ends
export function unbuilt<Area extends Record<string, any>>(calls: Area): Handlers<Area> {
  return Object.fromEntries(
    Object.keys(calls).map((name) => [
      name,
      () => {
        throw new Problem('unprocessable', { message: `${name} is not built yet.` })
      },
    ]),
  ) as unknown as Handlers<Area & Record<string, Endpoint>>
}
