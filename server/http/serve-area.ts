import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Site } from './host-check.ts'
import type { Upload } from './upload.ts'
import type { Visitor } from './visitor.ts'

type EndpointMap = Record<string, Endpoint<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, z.ZodMiniType>>

export interface HandlerCall<E extends Endpoint> {
  person: E['access'] extends 'public' ? Person | null : Person
  params: z.output<NonNullable<E['params']>>
  query: z.output<NonNullable<E['query']>>
  body: z.output<NonNullable<E['body']>>
  visitor(): Visitor
  /** The client's network address. */
  address: string
  /** Raw and unbounded; read it through `parseDevice`. */
  userAgent: string | null
  site: Site | null
  ifMatch: number | null
  requestId: string
  openUpload(): Upload
  range: string | null
  wantsStream: boolean
}

export class Reply<Data> {
  readonly data: Data
  readonly options: { extra?: Record<string, unknown>; status?: number; headers?: Record<string, string> }
  constructor(data: Data, options: Reply<Data>['options'] = {}) {
    this.data = data
    this.options = options
  }
}

/** A handler of a call that responds with an empty object can return nothing. */
export type HandlerResult<Data> = Data | Reply<Data> | Response | (Record<never, never> extends Data ? void : never)

export type Handler<E extends Endpoint> = (
  call: HandlerCall<E>,
) => HandlerResult<z.input<E['response']>> | Promise<HandlerResult<z.input<E['response']>>>

export type Handlers<Area extends EndpointMap> = { [Name in keyof Area]: Handler<Area[Name]> }

export interface ServedCall {
  area: string
  name: string
  endpoint: Endpoint
  handler: Handler<Endpoint>
}

export function serveArea<Area extends EndpointMap>(area: string, calls: Area, handlers: Handlers<Area>): ServedCall[] {
  return Object.entries(calls).map(([name, endpoint]) => {
    const handler = handlers[name] as Handler<Endpoint> | undefined
    if (!handler) throw new Error(`${area}.${name} has no handler`)
    if (endpoint.access === undefined)
      throw new Error(`${area}.${name} has no access class; give it one in the contract`)
    return { area, name, endpoint: endpoint as unknown as Endpoint, handler }
  })
}
