import type * as z from 'zod/mini'
import type { Envelope, Method, When } from '#contract/endpoint.ts'

/** Any call of the address book, without the generics that would make two of them incomparable. */
export interface AnyEndpoint {
  method: Method
  path: string
  when?: When
  answer?: 'envelope' | 'bare'
  params?: unknown
  query?: unknown
  body?: unknown
  returns: unknown
  creates?: boolean
}

type Given<Schema> = z.input<NonNullable<Schema>>

/** A part the endpoint does not declare cannot be passed; one whose every field is optional may be left out. */
type Part<Name extends string, Schema> =
  Given<Schema> extends Record<string, never>
    ? { [name in Name]?: undefined }
    : Record<string, never> extends Given<Schema>
      ? { [name in Name]?: Given<Schema> }
      : { [name in Name]: Given<Schema> }

interface CallOptions {
  /** It signs somebody in: it does not wait until they are. */
  opensSession?: boolean
  /** The `rev` this change was based on. */
  ifMatch?: number
  /** Of a create: sent again with the same one, it is answered again and not made again. */
  idempotencyKey?: string
  /** The body of a call that `takes` a file; its `type` is said as the content type. */
  bytes?: Blob
  signal?: AbortSignal
}

export type CallInput<E extends AnyEndpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> &
  CallOptions

/** Rest arguments, so that a call which needs nothing is written without `{}`. */
export type InputArguments<E extends AnyEndpoint> =
  Record<string, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

export type Answer<E extends AnyEndpoint> = z.output<NonNullable<E['returns']>>

/** The whole answer, for calls whose members beside `data` matter (`processing_time_ms`, `platform`). */
export type WholeAnswer<E extends AnyEndpoint> = Envelope<Answer<E>> & Record<string, unknown>

export interface LooseInput extends CallOptions {
  params?: unknown
  query?: unknown
  body?: unknown
}
