import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Site } from './host-check.ts'
import type { Upload } from './upload.ts'
import type { Visitor } from './visitor.ts'

type Areas = Record<string, Endpoint<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, z.ZodMiniType>>

/** Parsed input, caller, and request details for the few handlers that need them. */
export interface HandlerCall<E extends Endpoint> {
  /** Non-null unless the call's access is `public`. */
  person: E['access'] extends 'public' ? Person | null : Person
  params: z.output<NonNullable<E['params']>>
  query: z.output<NonNullable<E['query']>>
  body: z.output<NonNullable<E['body']>>
  /** The anonymous caller; may set the visitor cookie. */
  visitor(): Visitor
  /** Client address behind the trusted proxies. */
  address: string
  /** Raw and unbounded; read it through `deviceOf`. */
  userAgent: string | null
  /** The domain of the requested custom host; `null` on the server's own host. */
  site: Site | null
  ifMatch: number | null
  requestId: string
  /** The limited body of a call that `takes` bytes. */
  bytes(): Upload
  range: string | null
  wantsStream: boolean
}

/** Data with additional envelope members, status or headers. */
export class Reply<Data> {
  readonly data: Data
  readonly more: { extra?: Record<string, unknown>; status?: number; headers?: Record<string, string> }
  constructor(data: Data, more: Reply<Data>['more'] = {}) {
    this.data = data
    this.more = more
  }
}

export type HandlerResult<Data> = Data | Reply<Data> | Response

export type Handler<E extends Endpoint> = (
  call: HandlerCall<E>,
) => HandlerResult<z.input<E['returns']>> | Promise<HandlerResult<z.input<E['returns']>>>

export type Handlers<Area extends Areas> = { [Name in keyof Area]: Handler<Area[Name]> }

export interface ServedCall {
  area: string
  name: string
  endpoint: Endpoint
  handler: Handler<Endpoint>
}

/** Pairs every call of an area with its handler; a missing handler fails the type check and the start. */
export function serveArea<Area extends Areas>(area: string, calls: Area, handlers: Handlers<Area>): ServedCall[] {
  return Object.entries(calls).map(([name, endpoint]) => {
    const handler = handlers[name] as Handler<Endpoint> | undefined
    if (!handler) throw new Error(`${area}.${name} has no handler`)
    if (endpoint.access === undefined)
      throw new Error(`${area}.${name} has no access class; give it one in the contract`)
    return { area, name, endpoint: endpoint as unknown as Endpoint, handler }
  })
}
