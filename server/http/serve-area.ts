import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Site } from './host-check.ts'
import type { Upload } from './upload.ts'
import type { Visitor } from './visitor.ts'

type Areas = Record<string, Endpoint<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, z.ZodMiniType>>

/** What a handler is given: parsed input, who asks, and the request for the few that need it. */
export interface Call<E extends Endpoint> {
  /** Present on every call whose access class is not `public`. */
  person: E['access'] extends 'public' ? Person | null : Person
  params: z.output<NonNullable<E['params']>>
  query: z.output<NonNullable<E['query']>>
  body: z.output<NonNullable<E['body']>>
  /** Who asks without signing in; asking for it may set the visitor cookie. */
  visitor(): Visitor
  /** Address of the client, behind as many trusted proxies as the settings say. */
  address: string
  /** As the client sent it, of any length; read it through `deviceOf`. */
  userAgent: string | null
  /** The domain whose custom host was asked; `null` on the server’s own address. */
  site: Site | null
  /** The revision the caller's version is based on, from `If-Match`. */
  ifMatch: number | null
  requestId: string
  /** The body of a call that `takes` bytes: held to the limit while it is read. */
  bytes(): Upload
  /** The part of a file that is asked for, as the `Range` header says it. */
  range: string | null
  wantsStream: boolean
}

/** Data with more than data: other members of the envelope, another status, other headers. */
export class Reply<Data> {
  readonly data: Data
  readonly more: { extra?: Record<string, unknown>; status?: number; headers?: Record<string, string> }
  constructor(data: Data, more: Reply<Data>['more'] = {}) {
    this.data = data
    this.more = more
  }
}

export type Answering<Data> = Data | Reply<Data> | Response

export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Answering<z.input<E['returns']>> | Promise<Answering<z.input<E['returns']>>>

export type Handlers<Area extends Areas> = { [Name in keyof Area]: Handler<Area[Name]> }

export interface ServedCall {
  area: string
  name: string
  endpoint: Endpoint
  handler: Handler<Endpoint>
}

/** Pairs every call of an area with its handler; a call without one does not typecheck and does not start. */
export function serveArea<Area extends Areas>(area: string, calls: Area, handlers: Handlers<Area>): ServedCall[] {
  return Object.entries(calls).map(([name, endpoint]) => {
    const handler = handlers[name] as Handler<Endpoint> | undefined
    if (!handler) throw new Error(`${area}.${name} has no handler`)
    if (endpoint.access === undefined)
      throw new Error(`${area}.${name} has no access class; give it one in the contract`)
    return { area, name, endpoint: endpoint as unknown as Endpoint, handler }
  })
}
