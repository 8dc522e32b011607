import type * as z from 'zod/mini'
import type { EndpointMatch, Envelope, HttpMethod } from '#contract/endpoint.ts'

/** Any endpoint, without the generics that would make endpoints unassignable to each other. */
export interface AnyEndpoint {
  method: HttpMethod
  path: string
  match?: EndpointMatch
  responseFormat?: 'envelope' | 'bare'
  params?: unknown
  query?: unknown
  body?: unknown
  response: unknown
  supportsIdempotencyKey?: boolean
}

type SchemaInput<Schema> = z.input<NonNullable<Schema>>

/** A part with only optional fields can be omitted; an undeclared part cannot be passed. */
type InputPart<Name extends string, Schema> =
  SchemaInput<Schema> extends Record<string, never>
    ? { [name in Name]?: undefined }
    : Record<string, never> extends SchemaInput<Schema>
      ? { [name in Name]?: SchemaInput<Schema> }
      : { [name in Name]: SchemaInput<Schema> }

interface CallOptions {
  /** The call signs the person in, so it does not wait for a session. */
  opensSession?: boolean
  /** The `rev` this change was based on. */
  ifMatch?: number
  /** Idempotency key of a create: repeating the call with it creates nothing twice. */
  idempotencyKey?: string
  /** The body of an `upload` call; its `type` becomes the content type. */
  bytes?: Blob
  signal?: AbortSignal
}

export type CallInput<E extends AnyEndpoint> = InputPart<'params', E['params']> &
  InputPart<'query', E['query']> &
  InputPart<'body', E['body']> &
  CallOptions

/** Rest arguments, so that a call without input needs no `{}`. */
export type InputArguments<E extends AnyEndpoint> =
  Record<string, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

export type CallResult<E extends AnyEndpoint> = z.output<NonNullable<E['response']>>

/** The whole envelope, for calls that need members next to `data` (`processing_time_ms`, `platform`). */
export type ResponseEnvelope<E extends AnyEndpoint> = Envelope<CallResult<E>> & Record<string, unknown>

export interface UntypedCallInput extends CallOptions {
  params?: unknown
  query?: unknown
  body?: unknown
}
