import type { Endpoint } from '#contract/endpoint.ts'
import { Problem } from './problem.ts'
import { type Handlers, type ServedCall, serveArea } from './serve-area.ts'

/** The calls of an area nobody serves yet. */
export function unbuiltArea(area: string, calls: Record<string, Endpoint>): ServedCall[] {
  const refuse = () => {
    throw new Problem('unprocessable', { message: 'This is not built yet.' })
  }
  return serveArea(
    area,
    calls,
    Object.fromEntries(Object.keys(calls).map((n) => [n, refuse])) as Handlers<typeof calls>,
  )
}
