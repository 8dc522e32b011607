import type * as z from 'zod/mini'
import type { ConnectionScope } from './connections/scopes.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** An event stream without events gets a comment this often. */
export const streamHeartbeatMs = 15_000

/** Anyone, signed-in people, or people with a platform permission. The handler itself checks access to each resource. */
export type EndpointAccess = 'public' | 'person' | { permission: Permission }

export const permissions = [
  'access_admin_pages',
  'manage_platform_roles',
  'manage_domains',
  'manage_users',
  'view_analytics',
  'manage_api_keys',
  'system_configuration',
  'content_moderation',
  'view_user_data',
  'assist_users',
  'view_logs',
  'basic_analytics',
  'moderate_content',
  'review_reports',
  'manage_flags',
  'view_content_analytics',
  'export_data',
  'view_reports',
  'read_only_access',
  'api_access',
  'debug_access',
  'technical_tools',
  'view_public_data',
  'basic_reports',
] as const
export type Permission = (typeof permissions)[number]

/** Tells apart calls on one address by a query or body value. `'*'` means present; other values match exactly. */
export interface EndpointMatch {
  query?: Record<string, string>
  body?: Record<string, string>
}

export interface EndpointDescription<
  Params extends z.ZodMiniType,
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Output extends z.ZodMiniType,
> {
  summary: string
  access: EndpointAccess
  /** Opens the call to connected programs with this scope; without one, only a session can make it. */
  scope?: ConnectionScope
  /** The person must have proved who they are within five minutes, so that a borrowed session can't make the call. */
  proof?: 'recent'
  match?: EndpointMatch
  params?: Params
  query?: Query
  body?: Body
  response: Output
  /** `envelope` (default) responds with `{success, data}`; `bare` with the data alone. */
  responseFormat?: 'envelope' | 'bare'
  /** Can also respond with `text/event-stream`, by `Accept`. */
  canStream?: boolean
  /** The endpoint also answers a locked session; see contract/accounts/app-lock.ts. */
  worksWhileLocked?: boolean
  /** A request repeated with the same `Idempotency-Key` gets the first response again instead of creating another item. */
  supportsIdempotencyKey?: boolean
  /** The body is bytes of one of these content types; parameters such as `codecs` are ignored. */
  upload?: { contentTypes: readonly string[] }
  maxBodyBytes?: number
  /** Max keys of a JSON body, 2,000 by default; above 50,000 also the max list items. */
  maxBodyKeys?: number
}

export interface Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> extends EndpointDescription<Params, Query, Body, Output> {
  method: HttpMethod
  path: string
}

export type EmptyObject = z.ZodMiniObject<Record<string, never>>

export function defineEndpoint<
  Output extends z.ZodMiniType,
  Params extends z.ZodMiniType = EmptyObject,
  Query extends z.ZodMiniType = EmptyObject,
  Body extends z.ZodMiniType = EmptyObject,
>(
  address: `${HttpMethod} /${string}`,
  description: EndpointDescription<Params, Query, Body, Output>,
): Endpoint<Params, Query, Body, Output> {
  const [method, path] = address.split(' ') as [HttpMethod, string]
  return { method, path, ...description }
}

export type EndpointOutput<E extends Endpoint> = z.output<E['response']>

export interface Envelope<Data> {
  success: boolean
  data?: Data
  error?: string | { message: string; code: string }
  code?: string
  requestId?: string
  fields?: Record<string, string>
  next_cursor?: string | null
}
